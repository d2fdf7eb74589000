import TraceFormat

/// The subscriptions for whose next elements tasks wait that haven't ended when their logs end.
///
/// A task waits for a subscription if its `await` is the loop that observes the subscription. If a
/// loop observes several lanes, nobody knows for which of them a task waits.
package struct AwaitedLanes: Sendable {
  /// A loop over the values of a signal.
  private struct Loop: Hashable {
    let log: Int
    let source: String
  }

  private var subscriptions: [Int: [Int]] = [:]
  private var tasks: [Int: [Int]] = [:]

  package init(_ log: LogAnalysis, _ graph: WaitGraph) {
    var waiting: [Loop: [(task: Int, since: Nanoseconds?)]] = [:]
    for task in graph.tasks {
      guard let present = log.presentWait(of: task), present.activity == .waits(.continuation),
        present.pause == nil || present.pause == .stream, let source = present.source
      else { continue }
      waiting[Loop(log: log.log(of: task), source: source), default: []]
        .append((task, present.since))
    }
    guard !waiting.isEmpty else { return }
    for (loop, observed) in Self.observed(in: Set(waiting.keys), log) {
      for (task, since) in waiting[loop] ?? [] {
        let begun = observed.filter { index in
          since.map { log.lifecycles.origin(at: index).start <= $0 } ?? true
        }
        guard !begun.isEmpty else { continue }
        subscriptions[task] = begun
        for index in begun { tasks[index, default: []].append(task) }
      }
    }
  }

  /// Returns the active subscriptions of each loop that observes one lane.
  private static func observed(in loops: Set<Loop>, _ log: LogAnalysis) -> [Loop: [Int]] {
    var observed: [Loop: [Int]] = [:]
    for (number, trace) in log.logs.enumerated() {
      let places = trace.places.map { place in
        place?.source.map { Loop(log: number, source: $0) }.flatMap {
          loops.contains($0) ? $0 : nil
        }
      }
      guard places.contains(where: { $0 != nil }) else { continue }
      for index in trace.members {
        let activity = log.lifecycles.activity(at: index)
        let place = Int(log.lifecycles.origin(at: index).observed)
        guard activity.isActive, !activity.isTask, !activity.isObject, place < places.count,
          let loop = places[place]
        else { continue }
        observed[loop, default: []].append(index)
      }
    }
    return observed.compactMapValues { members in
      // Of lanes in a row, the loop gets the elements of the last one.
      let all = Set(members)
      let last = members.filter { log.parent(ofIndex: $0).map { !all.contains($0) } ?? true }
      let lanes = Set(last.map { log.lifecycles.origin(at: $0).site.site.lane })
      return lanes.count == 1 ? last : nil
    }
  }

  /// Returns the subscriptions of one lane, for the next element of one of which a task waits.
  package func subscriptions(of task: Int) -> [Int] { subscriptions[task] ?? [] }

  /// Returns the tasks that wait for the next element of a subscription, or of another one of its
  /// lane.
  package func tasks(of subscription: Int) -> [Int] { tasks[subscription] ?? [] }
}
