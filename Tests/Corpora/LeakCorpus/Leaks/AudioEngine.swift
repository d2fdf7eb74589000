import ReactiveKit

extension LeakCase {
  static let audioEngine = held(
    "path-unmanaged", lanes: ["engine.samples"], roots: ["runningEngine"],
    also: ["AudioEngine.bag", "AudioEngine.samples"], alive: true,
    .now {
      let engine = AudioEngine()
      runningEngine = engine
      engine.start()
      engine.samples.send(3)
      return engine
    })
}

@MainActor var runningEngine: AudioEngine?

/// An engine with its own address in a field and in the closure, as a context for C callbacks.
final class AudioEngine {
  let samples = PassthroughSubject<Int, Never>()
  private var context: UnsafeMutableRawPointer?
  private var level = 0
  private let bag = DisposeBag()

  func start() {
    let engine = Unmanaged.passUnretained(self)
    context = engine.toOpaque()
    samples
      .traced("engine.samples")
      .observeNext { engine.takeUnretainedValue().level = $0 }  // observed
      .dispose(in: bag)
  }
}
