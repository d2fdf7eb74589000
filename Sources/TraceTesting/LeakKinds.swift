/// The kinds of leaks that a check looks for.
public struct LeakKinds: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Traced subscriptions that the test made and that haven't ended. `Trace.expectNoLeaks` has the
  /// details.
  public static let subscriptions = LeakKinds(rawValue: 1)
  /// Tasks that the test started, that haven't ended, and that seem unable to end: their
  /// continuation was lost, only they keep alive what they wait for, they wait for each other, or
  /// they were canceled and still wait. This requires Linux. Detached tasks aren't included, nor
  /// are tasks that something can still continue.
  ///
  /// A task is only reported if nothing else in the memory of the process refers to it. So other
  /// tests that run at the same time can hide a task, but they are never the reason for a report.
  public static let tasks = LeakKinds(rawValue: 2)

  /// Retain cycles that the test made and that nothing else in the process leads to. Objects of any
  /// class count. This requires Linux, without the allocator of a sanitizer. Otherwise, a message
  /// on stderr says that cycles aren't searched for.
  ///
  /// The memory of the process is searched before and after the test, which takes a fraction of a
  /// second each time, and about a second for each gigabyte. Each cycle is reported once. If other
  /// tests run at the same time, one of them may have made it: its source location shows which one.
  ///
  /// An old word in memory that is the address of an object hides its cycle. So a run of the tests
  /// can overlook a cycle that another run finds.
  public static let cycles = LeakKinds(rawValue: 4)

  /// All kinds.
  public static let all: LeakKinds = [.subscriptions, .tasks, .cycles]
}
