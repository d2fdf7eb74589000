import ReactiveKit

extension LeakCase {
  static let releasedSink = fine(
    "sink-released", lanes: ["sink.levels"],
    .now {
      let meter = ReleasedSink()
      meter.start()
      Amplifier.levels.send(5)
      meter.stop()
      return meter
    })
}

enum Amplifier {
  static let levels = PassthroughSubject<Int, Never>()
}

/// A meter that captures itself strongly, and releases the cancellable.
final class ReleasedSink {
  private var level = 0
  private var subscription: AnyCancellable?

  func start() {
    subscription = Amplifier.levels
      .traced("sink.levels")
      .sink { self.level = $0 }  // observed
  }

  func stop() { subscription = nil }
}
