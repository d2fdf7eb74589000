import HeapGraph
import ProcessMemory

/// A small program with a task that can't continue, or that looks as if it couldn't.
///
/// The line where the task waits has the comment `// waits: NAME`, so that the runner can find the
/// place that a finding should have.
struct TaskCase: Sendable {
  let name: String
  /// The rule that reports the task, or nil if nothing should be reported.
  let rule: String?
  let program: @Sendable () async -> Void

  static func stuck(
    _ name: String, _ rule: String, _ program: @escaping @Sendable () async -> Void
  ) -> TaskCase {
    TaskCase(name: name, rule: rule, program: program)
  }

  static func fine(_ name: String, _ program: @escaping @Sendable () async -> Void) -> TaskCase {
    TaskCase(name: name, rule: nil, program: program)
  }

  static let all = lost + deadlocks + canceled + leaks + lanes + fine + fineStreams + fineGroups
}

/// Waits until the other tasks have had time to run, and until no other thread runs.
///
/// This doesn't list the tasks, because the addresses in the list would remain in the memory.
func settle() async {
  var quiet = 0
  for _ in 0..<5000 where quiet < 3 {
    for _ in 0..<20 { await Task.yield() }
    quiet = ThreadStacks.pointers().areSomeUnknown ? 0 : quiet + 1
  }
}
