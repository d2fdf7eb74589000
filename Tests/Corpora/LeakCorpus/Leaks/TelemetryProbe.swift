import Foundation
import ReactiveKit

extension LeakCase {
  static let telemetryProbe = held(
    "thread-endless-block", lanes: ["telemetry.samples"], roots: ["a Thread"],
    path: ["captures self strongly", "TelemetryProbe.bag"], holder: ["TelemetryProbe.bag"],
    alive: true,
    .now {
      TelemetryProbe.begin()
      ProbeFeed.samples.send(4)
      return TelemetryProbe.last
    })
}

enum ProbeFeed {
  static let samples = PassthroughSubject<Int, Never>()
}

/// An object whose thread has a block that never returns.
final class TelemetryProbe: @unchecked Sendable {
  nonisolated(unsafe) static weak var last: TelemetryProbe?
  private var sample = 0
  private let wakeUps = DispatchSemaphore(value: 0)
  private let bag = DisposeBag()

  @inline(never)
  static func begin() {
    let telemetry = TelemetryProbe()
    telemetry.observe()
    telemetry.run()
    last = telemetry
  }

  private func observe() {
    ProbeFeed.samples
      .traced("telemetry.samples")
      .observeNext { [weak self] in self?.sample = $0 }  // observed
      .dispose(in: bag)
  }

  private func run() {
    let thread = Thread {
      while true {
        self.wakeUps.wait()
        self.sample += 1
      }
    }
    thread.start()
  }
}
