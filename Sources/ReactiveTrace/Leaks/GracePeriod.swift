import Synchronization
import SystemLibrary
import TraceFormat

/// A schedule for checking again whether something has ended that should end soon.
struct GracePeriod {
  /// The minimum number of checks. On a busy machine, the time can end before work that was already
  /// enqueued got a turn.
  private static let minChecks = 20

  /// The shortest grace period in which other tasks would get a turn also on a busy machine.
  private static let minProbed = Duration.milliseconds(100)

  private let duration: Duration
  private let start = ContinuousClock.now
  private var pause: Duration = .microseconds(50)
  private var checks = 0

  init(_ duration: Duration) { self.duration = duration }

  /// Returns the time to wait before the next check, or nil after the grace period. The time is 0
  /// if others only need a turn.
  mutating func next() -> Duration? {
    let left = duration - (ContinuousClock.now - start)
    checks += 1
    guard left > .zero else {
      return duration > .zero && checks <= Self.minChecks ? .zero : nil
    }
    defer { pause = min(pause * 2, .milliseconds(10)) }
    return min(pause, left)
  }

  /// Suspends the task until `isOver` returns true or the grace period ends.
  static func wait(
    _ duration: Duration, isolation: isolated (any Actor)? = #isolation, until isOver: () -> Bool
  ) async {
    var period = GracePeriod(duration)
    while !isOver(), let pause = period.next() {
      // A canceled task doesn't sleep, so it polls without pauses.
      do { try await Task.sleep(for: pause) } catch { await Task.yield() }
    }
  }

  /// Whether other tasks ran during a grace period.
  enum Turn {
    case ofOthers
    /// All threads that run tasks were blocked, or the actor on which this code runs. So what tasks
    /// hold could not end.
    case ofNobody
  }

  /// Blocks the thread until `isOver` returns true or the grace period ends.
  static func block(_ duration: Duration, until isOver: () -> Bool) -> Turn {
    guard !isOver() else { return .ofOthers }
    let probe = duration >= minProbed ? TurnProbe() : nil
    var period = GracePeriod(duration)
    while !isOver(), let pause = period.next() {
      if pause > .zero { LogClock.pause(pause) } else { LogClock.yield() }
    }
    return probe?.hadTurn ?? true ? .ofOthers : .ofNobody
  }
}

/// Tasks that show whether other tasks get a turn while a task blocks its thread.
private struct TurnProbe {
  private final class Count: Sendable {
    let value = Atomic<Int>(0)
  }

  private let count = Count()
  /// The number of tasks that must have run: none if this thread doesn't run a task.
  private let wanted: Int

  init() {
    guard withUnsafeCurrentTask(body: { $0 != nil }) else {
      wanted = 0
      return
    }
    let count = count
    Task.detached { count.value.wrappingAdd(1, ordering: .relaxed) }
    guard ThreadName.isMain else {
      wanted = 1
      return
    }
    Task.detached { @MainActor in _ = count.value.wrappingAdd(1, ordering: .relaxed) }
    wanted = 2
  }

  var hadTurn: Bool { count.value.load(ordering: .relaxed) >= wanted }
}

extension Retention {
  /// Returns whether a task that got no turn may be the reason why something is alive.
  var leadsThroughTask: Bool {
    steps.contains { if case .task = $0.kind { true } else { false } }
  }
}
