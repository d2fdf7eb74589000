import TraceFormat

/// A walk along the changes of a task that finds out when it runs and when it waits.
///
/// A damaged log may report that a task waits again without having run, or that it can run although
/// it doesn't wait. The last report counts.
struct WaitWalk {
  /// What the task does since `time`: nil if it runs, otherwise a change that begins a wait.
  private(set) var wait: WaitChange?
  private(set) var time: UInt64
  /// The time of an end of a wait while the task ran. At the same time, it ends a wait that begins
  /// after it in the order of the changes.
  private var idleEnd: UInt64?
  /// The time at which the last wait ended.
  private var lastEnd: UInt64?

  /// Begins with a task that runs.
  init(from time: UInt64) { self.time = time }

  /// Takes the next change. Calls `visit` with the time that ends, unless it is empty.
  @inline(__always)
  mutating func take(
    _ change: WaitChange, _ visit: (_ from: UInt64, _ to: UInt64, WaitChange?) -> Void
  ) {
    if change.isWait {
      if idleEnd == change.time {
        idleEnd = nil
        return
      }
      end(at: change.time, visit)
      wait = change
    } else if wait != nil {
      end(at: change.time, visit)
      wait = nil
      lastEnd = change.time
    } else if lastEnd != change.time {
      idleEnd = change.time
    }
  }

  /// Ends the walk, or what the task does, at a time.
  @inline(__always)
  mutating func end(
    at end: UInt64, _ visit: (_ from: UInt64, _ to: UInt64, WaitChange?) -> Void
  ) {
    if end > time {
      visit(time, end, wait)
      time = end
    }
  }
}
