public import CoreMetrics
import ReactiveTrace

/// Gauges of what is active in the trace.
///
/// | gauge | dimension | value |
/// | --- | --- | --- |
/// | `reactivekit.subscriptions.active` | `lane` | subscriptions that haven't ended |
/// | `reactivekit.tasks.active` | `lane` | traced tasks that haven't ended |
/// | `reactivekit.tasks.alive` | | all tasks of the process, if `countsAllTasks` is set |
///
/// A lane that has become empty has the value 0. After the trace has ended, nothing is known, so
/// the gauges of lanes are removed.
public actor TraceMetrics {
  private struct Key: Hashable {
    let label: String
    let lane: String
  }

  private let factory: any MetricsFactory
  private let countsAllTasks: Bool
  private var gauges: [Key: Gauge] = [:]
  private var tasks: Gauge?

  /// Creates the gauges as they are needed.
  ///
  /// - Parameter countsAllTasks: Whether to count all tasks of the process, on Linux. That searches
  ///   its memory each time, as `Trace.tasks()` does.
  public init(
    factory: any MetricsFactory = MetricsSystem.factory, countsAllTasks: Bool = false
  ) {
    self.factory = factory
    self.countsAllTasks = countsAllTasks
  }

  /// Sets all gauges to the values of this moment. Calls don't overlap.
  public func record() {
    var counts: [Key: Int] = [:]
    if Trace.isOn {
      for key in gauges.keys { counts[key] = 0 }
      for subscription in Trace.activeSubscriptions {
        let kind = subscription.isTask ? "tasks" : "subscriptions"
        counts[
          Key(label: "reactivekit.\(kind).active", lane: subscription.lane), default: 0] += 1
      }
    }
    for (key, gauge) in gauges where counts[key] == nil {
      gauge.destroy()
      gauges[key] = nil
    }
    for (key, count) in counts { gauge(of: key).record(count) }
    recordAllTasks()
  }

  /// Sets all gauges at once and then in regular intervals, until the task is canceled.
  ///
  ///     ClosureService {
  ///       try await cancelWhenGracefulShutdown { try await metrics.run(every: .seconds(10)) }
  ///     }
  public func run(every interval: Duration) async throws {
    while true {
      record()
      try await Task.sleep(for: interval)
    }
  }

  private func gauge(of key: Key) -> Gauge {
    if let known = gauges[key] { return known }
    let new = Gauge(label: key.label, dimensions: [("lane", key.lane)], factory: factory)
    gauges[key] = new
    return new
  }

  /// Counts all tasks. If they can't be counted reliably, the gauge is removed.
  private func recordAllTasks() {
    guard countsAllTasks else { return }
    guard let count = try? Trace.tasks().count else {
      tasks?.destroy()
      tasks = nil
      return
    }
    let gauge = tasks ?? Gauge(label: "reactivekit.tasks.alive", factory: factory)
    tasks = gauge
    gauge.record(count)
  }
}
