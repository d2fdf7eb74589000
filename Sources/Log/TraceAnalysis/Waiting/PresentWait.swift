package import TraceFormat

/// What a task that hasn't ended does when its log ends.
///
/// It consists of the record that the end of a log has for the task, and of its latest wait. Each
/// of them can be missing. If they differ, the record counts.
package struct PresentWait: Equatable, Sendable {
  package enum Activity: Equatable, Sendable {
    case runs
    /// The task waits; nil if it isn't known for what.
    case waits(UnfinishedTask.Wait?)
  }

  package var activity: Activity
  /// What the task does while it waits for a continuation, if that is known.
  package var pause: UnfinishedTask.Pause?
  /// The time at which the wait began, on the axis of all logs; nil if it isn't known.
  package var since: Nanoseconds?
  /// The tasks that it waits for.
  package var awaited: [SubscriptionID] = []
  /// The place of the `await`.
  package var source: String?
  package var function: String?
  package var isCanceled = false
  /// What can let the task continue. Nil if that isn't known.
  package var reach: UnfinishedTask.Reach?
  /// The number of the task among those of its process, and the name that the program gave to it.
  package var number: UInt64?
  package var name: String?
  /// The asynchronous calls of the task, innermost first.
  package var calls: [UnfinishedTask.Call] = []

  package init(_ activity: Activity) { self.activity = activity }
}

extension LogAnalysis {
  /// Returns what is known about a task that hadn't ended when its log ended; nil for all other
  /// subscriptions.
  func unfinishedTask(of index: Int) -> UnfinishedTask? {
    guard isUnfinishedTask(index) else { return nil }
    let log = logs[Int(lifecycles.activity(at: index).log)]
    return log.tasks[lifecycles.origin(at: index).id.number]
  }

  /// Returns what a task that hasn't ended does; nil for all other subscriptions, and if the log
  /// doesn't show that.
  package func presentWait(of index: Int) -> PresentWait? {
    guard isUnfinishedTask(index) else { return nil }
    let log = logs[Int(lifecycles.activity(at: index).log)]
    let id = lifecycles.origin(at: index).id.number
    let waits = waitsAtEnd(index)
    let latest = waits == true ? log.latestWaits[id] : nil
    var present: PresentWait
    if let task = log.tasks[id] {
      present = PresentWait(task, latest)
    } else if let waits {
      present = PresentWait(waits ? .waits(latest?.wait) : .runs)
      present.number = log.taskNumbers[id]
      present.awaited = latest?.awaited ?? []
    } else {
      return nil
    }
    guard let latest, case .waits(let wait) = present.activity, wait == latest.wait else {
      return present
    }
    present.since = latest.time.after(log.offset)
    if present.source == nil, present.function == nil {
      present.source = latest.place?.site.source
      present.function = latest.place?.site.function
    }
    if present.awaited.isEmpty { present.awaited = latest.awaited }
    return present
  }

  private func isUnfinishedTask(_ index: Int) -> Bool {
    let activity = lifecycles.activity(at: index)
    return activity.isTask && activity.isActive
  }
}

extension PresentWait {
  /// Creates what a record describes. The latest wait adds for what the task waits, if the record
  /// doesn't have that.
  fileprivate init(_ task: UnfinishedTask, _ latest: StartedWait?) {
    switch task.state {
    case .running: self.init(.runs)
    case .enqueued: self.init(.waits(.executor))
    case .waiting, .suspended: self.init(.waits(task.wait ?? latest?.wait))
    }
    pause = task.pause
    awaited = task.awaited
    source = task.calls.first?.source
    function = task.calls.first?.function
    isCanceled = task.canceled != nil
    reach = task.reach
    number = task.number
    name = task.name
    calls = task.calls
  }
}
