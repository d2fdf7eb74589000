import ReactiveKit

extension LeakCase {
  static let recordedStream = fine(
    "connect-disposed", lanes: ["recording.frames"],
    .now {
      let stream = RecordedStream()
      Microphone.frames.send(1)
      return stream
    })
}

enum Microphone {
  static let frames = PassthroughSubject<Int, Never>()
}

/// A recorder that puts its connection into its bag.
final class RecordedStream {
  private var frame = 0
  private let bag = DisposeBag()

  init() {
    let frames = Microphone.frames.traced("recording.frames").publish()
    frames.observeNext { [weak self] in self?.frame = $0 }.dispose(in: bag)
    frames.connect().dispose(in: bag)  // observed
  }
}
