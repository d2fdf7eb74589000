import ReactiveKit

extension LeakCase {
  static let keyStream = held(
    "async-stream-bridge", lanes: ["keys.pressed"], roots: ["KeyboardDriver.keys"],
    holder: ["discarded"], alive: false,
    .later {
      let recorder = KeyRecorder()
      let stream = typedKeys()
      KeyboardDriver.keys.send("a")
      for await key in stream.prefix(1) { recorder.typed += key }
      return recorder
    })
}

enum KeyboardDriver {
  static let keys = PassthroughSubject<String, Never>()
}

@MainActor
private final class KeyRecorder {
  var typed = ""
}

/// Bridges to a stream manually. When the stream ends, the subscription isn't disposed.
private func typedKeys() -> AsyncStream<String> {
  AsyncStream { continuation in
    _ = KeyboardDriver.keys
      .traced("keys.pressed")
      .observeNext { continuation.yield($0) }  // observed
  }
}
