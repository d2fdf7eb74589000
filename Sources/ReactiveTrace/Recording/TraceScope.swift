import Synchronization
import TraceFormat

/// Something that looks at the program at the end of each scope of a log.
package protocol ScopeObserver: Sendable {
  func begin(_ scope: Int)
  func end(_ scope: TraceScope, _ recorder: Recorder)
}

/// A scope in which code runs: a named scope or a leak check. Tasks inherit it, and so does work
/// that ReactiveKit moves to other threads.
package final class TraceScope: Sendable {
  @TaskLocal package static var current: TraceScope?

  /// A Boolean value that is false until the process makes its first scope.
  private static let isUsed = Atomic<Bool>(false)

  /// The current scope. In a program without scopes, this takes one load instead of the 134
  /// instructions of a task-local value.
  static var entered: TraceScope? { isUsed.load(ordering: .relaxed) ? current : nil }

  /// The number of the recorder to which `number` belongs, or 0 if this isn't a scope of a log.
  private let recorder: Int
  let number: Int
  let name: String
  let outer: TraceScope?
  /// The leak check that this scope represents or runs in.
  let check: LeakCheck?
  private let isOver = Atomic<Bool>(false)

  /// Creates a scope of a log.
  init(_ name: String, number: Int, in recorder: Recorder, outer: TraceScope?) {
    self.name = name
    self.number = number
    self.recorder = recorder.number
    self.outer = outer
    check = outer?.check
    Self.isUsed.store(true, ordering: .relaxed)
  }

  /// Creates a scope for a leak check.
  init(_ check: LeakCheck, outer: TraceScope?) {
    name = ""
    number = 0
    recorder = 0
    self.outer = outer
    self.check = check
    Self.isUsed.store(true, ordering: .relaxed)
  }

  /// Returns the innermost scope that belongs to the recorder: this scope or an enclosing one.
  func inside(_ recorder: Recorder) -> TraceScope? {
    var scope: TraceScope? = self
    while let candidate = scope {
      if candidate.number > 0, candidate.recorder == recorder.number { return candidate }
      scope = candidate.outer
    }
    return nil
  }

  /// This scope, or nil after its end.
  var whileOpen: TraceScope? { isOver.load(ordering: .relaxed) ? nil : self }

  func end() { isOver.store(true, ordering: .relaxed) }
}
