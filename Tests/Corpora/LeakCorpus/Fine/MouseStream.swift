import ReactiveKit

extension LeakCase {
  static let mouseStream = fine(
    "async-stream-ended", lanes: ["mouse.clicks"],
    .later {
      let recorder = ClickRecorder()
      let clicks = MouseDriver.clicks.traced("mouse.clicks").toAsyncStream()  // observed
      MouseDriver.clicks.send(1)
      MouseDriver.clicks.send(2)
      for await click in clicks.prefix(2) { recorder.clicks += click }
      return recorder
    })
}

enum MouseDriver {
  static let clicks = PassthroughSubject<Int, Never>()
}

@MainActor
private final class ClickRecorder {
  var clicks = 0
}
