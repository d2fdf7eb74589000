import ReactiveKit

extension LeakCase {
  static let metricsRecorder = cycle(
    "subscriber-sink", lanes: ["metrics.samples"], path: ["closure", "MetricsRecorder.sink"],
    breaks: "closure",
    .now {
      let recorder = MetricsRecorder()
      recorder.start()
      Probes.samples.send(7)
      return recorder
    })
}

enum Probes {
  static let samples = PassthroughSubject<Int, Never>()
}

/// A recorder that owns a subscriber whose closures retain the recorder.
final class MetricsRecorder {
  private var samples: [Int] = []
  private var sink: Subscribers.Sink<Int, Never>?

  func start() {
    let sink = Subscribers.Sink<Int, Never>(
      receiveCompletion: { _ in self.sink = nil },
      receiveValue: { self.samples.append($0) })
    self.sink = sink
    Probes.samples.traced("metrics.samples").subscribe(sink)  // observed
  }
}
