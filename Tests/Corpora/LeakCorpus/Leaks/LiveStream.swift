import ReactiveKit

extension LeakCase {
  static let liveStream = held(
    "connect-discarded", lanes: ["stream.frames"], roots: ["Camera.frames"],
    holder: ["discarded"], alive: false,
    .now {
      let stream = LiveStream()
      Camera.frames.send(1)
      return stream
    })
}

enum Camera {
  static let frames = PassthroughSubject<Int, Never>()
}

/// A stream that connects, and discards the disposable for disconnecting.
final class LiveStream {
  private var frame = 0
  private let bag = DisposeBag()

  init() {
    let frames = Camera.frames.traced("stream.frames").publish()
    frames.observeNext { [weak self] in self?.frame = $0 }.dispose(in: bag)
    _ = frames.connect()  // observed
  }
}
