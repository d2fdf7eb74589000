import Synchronization
import TraceFormat

/// What code runs for: a scope that the user named, or a leak check. It follows tasks, and the hops to other threads that
/// ReactiveKit makes.
package final class TraceScope: Sendable {
  @TaskLocal package static var current: TraceScope?

  /// The recorder that the number is one of, and the number; 0 where this is no scope of a log.
  private let recorder: Int
  let number: Int
  let name: String
  let outer: TraceScope?
  /// The leak check that this is, or that this runs in.
  let check: LeakCheck?
  private let isOver = Atomic<Bool>(false)

  /// A scope of a log.
  init(_ name: String, number: Int, in recorder: Recorder, outer: TraceScope?) {
    self.name = name
    self.number = number
    self.recorder = recorder.number
    self.outer = outer
    check = outer?.check
  }

  /// A leak check.
  init(_ check: LeakCheck, outer: TraceScope?) {
    name = ""
    number = 0
    recorder = 0
    self.outer = outer
    self.check = check
  }

  /// This scope, or the nearest around it, that is one of the recorder's.
  func inside(_ recorder: Recorder) -> TraceScope? {
    var scope: TraceScope? = self
    while let candidate = scope {
      if candidate.number > 0, candidate.recorder == recorder.number { return candidate }
      scope = candidate.outer
    }
    return nil
  }

  /// This scope while it lasts.
  var whileOpen: TraceScope? { isOver.load(ordering: .relaxed) ? nil : self }

  func end() { isOver.store(true, ordering: .relaxed) }
}
