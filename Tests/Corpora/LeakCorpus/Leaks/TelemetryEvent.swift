import ReactiveKit

extension LeakCase {
  static let telemetryEvent = held(
    "async-stream-buffer", lanes: ["telemetry.values"], roots: ["Telemetry.events"],
    path: ["TelemetryEvent.bag"], holder: ["TelemetryEvent.bag"], alive: true,
    .now {
      let event = TelemetryEvent()
      event.record()
      return event
    })
}

enum Telemetry {
  static let values = PassthroughSubject<Int, Never>()
  static let events = AsyncStream<TelemetryEvent>.makeStream()
}

/// An event in the buffer of a stream that is never read.
final class TelemetryEvent: @unchecked Sendable {
  private var values: [Int] = []
  private let bag = DisposeBag()

  func record() {
    Telemetry.values
      .traced("telemetry.values")
      .observeNext { [weak self] in self?.values.append($0) }  // observed
      .dispose(in: bag)
    Telemetry.events.continuation.yield(self)
  }
}
