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
  /// What `run` sets for its body.
  private struct Binding: Sendable {
    let scope: TraceScope?
    /// The scope that the carrier had when this one was set.
    let carried: TraceScope?
  }

  @TaskLocal private static var binding: Binding?

  /// A Boolean value that is false until the process makes its first scope.
  private static let isUsed = Atomic<Bool>(false)

  /// The innermost scope: that of `run` or that of the carrier, whichever was set later. In a
  /// program without scopes, this takes one load instead of the 134 instructions of a task-local
  /// value.
  package static var current: TraceScope? {
    guard isUsed.load(ordering: .relaxed) else { return nil }
    let binding = binding
    if let carried = ScopeCarriers.carried, carried !== binding?.carried { return carried }
    return binding?.scope
  }

  /// Creates what is made once per process. See `WarmUp`.
  static func prepare() { _ = (binding, ScopeCarriers.carried) }

  /// Runs `body` in a scope, or in none.
  static func run<Result>(in scope: TraceScope?, _ body: () throws -> Result) rethrows -> Result {
    try $binding.withValue(Binding(scope: scope, carried: ScopeCarriers.carried), operation: body)
  }

  /// Runs an asynchronous `body` in a scope.
  static func run<Result>(
    in scope: TraceScope?, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await $binding.withValue(
      Binding(scope: scope, carried: ScopeCarriers.carried), operation: body)
  }

  /// The number of the recorder to which `number` belongs, or 0 if this isn't a scope of a log.
  private let recorder: Int
  let number: Int
  private let firstName: String
  private let laterName = Guarded<String?>(nil)
  let outer: TraceScope?
  /// The leak check that this scope represents or runs in.
  let check: LeakCheck?
  private let isOver = Atomic<Bool>(false)

  /// Creates a scope of a log.
  init(_ name: String, number: Int, in recorder: Recorder, outer: TraceScope?) {
    firstName = name
    self.number = number
    self.recorder = recorder.number
    self.outer = outer
    check = outer?.check
    Self.isUsed.store(true, ordering: .relaxed)
  }

  /// Creates a scope for a leak check.
  init(_ check: LeakCheck, outer: TraceScope?) {
    firstName = ""
    number = 0
    recorder = 0
    self.outer = outer
    self.check = check
    Self.isUsed.store(true, ordering: .relaxed)
  }

  /// The name. A new one is in the record of the end.
  var name: String {
    get { laterName.withLock { $0 } ?? firstName }
    set { laterName.withLock { $0 = newValue } }
  }

  /// A Boolean value that indicates whether this is a scope of the recorder's log.
  func belongs(to recorder: Recorder) -> Bool { number > 0 && self.recorder == recorder.number }

  /// Returns the innermost scope that belongs to the recorder: this scope or an enclosing one.
  func inside(_ recorder: Recorder) -> TraceScope? {
    var scope: TraceScope? = self
    while let candidate = scope {
      if candidate.belongs(to: recorder) { return candidate }
      scope = candidate.outer
    }
    return nil
  }

  /// This scope, or nil after its end.
  var whileOpen: TraceScope? { isOver.load(ordering: .relaxed) ? nil : self }

  /// Ends the scope. Returns false if it had ended before.
  func end() -> Bool { !isOver.exchange(true, ordering: .relaxed) }

  /// The name that the scope has got after its beginning.
  var newName: String? { laterName.withLock { $0 } }
}

extension Recorder {
  /// Writes the beginning of a scope.
  func begin(_ name: String, inside outer: TraceScope?) -> TraceScope {
    let around = outer?.inside(self) ?? testScope
    let number = beginScope(name, inside: around?.number)
    scopeObserver?.begin(number)
    return TraceScope(name, number: number, in: self, outer: outer)
  }

  /// Writes the end of a scope of this log, unless it has ended.
  func end(_ scope: TraceScope) {
    guard scope.end() else { return }
    endScope(scope.number, name: scope.newName)
    scopeObserver?.end(scope, self)
  }
}
