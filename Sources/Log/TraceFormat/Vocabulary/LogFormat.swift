/// The words of log format version 1, shared by the code that writes logs and the code that reads
/// them.
@usableFromInline
package enum LogFormat {
  /// The version that this package writes, and the newest version that it reads.
  package static let version = 1
  /// The version of the additional keys. A reader of an earlier version ignores the keys that it
  /// doesn't recognize. Version 2 has records of the kind `task`. Version 3 has the lives of all
  /// tasks, with records of the kinds `suspended` and `resumed`. Version 4 has records of the kinds
  /// `object` and `instances`. Version 5 has inspections of processes, with records of the kinds
  /// `process`, `stack` and `hang`.
  package static let minorVersion = 5

  /// The kinds of records. The raw value is the text of the key `event`.
  package enum Event: String, CaseIterable, BitwiseCopyable, Sendable {
    case trace
    case thread
    case subscribe
    case next
    case completed
    case failed
    case disposed
    case released
    case breakpoint
    case mark
    case scopeBegin = "scope-begin"
    case scopeEnd = "scope-end"
    case lost
    /// The log continues in its next file.
    case continued
    /// A repetition of the `subscribe` record of a subscription that began in an earlier file of
    /// the log and is still alive.
    case alive
    /// The source location of a lane, if it was not known when the lane began.
    case place
    /// The reason why a subscription is still alive. Of several records about one subscription, the
    /// latest counts.
    case retained
    /// A fact about a subscription that wasn't known when its `subscribe` record was written, or
    /// that has changed since. Only the keys that are present count.
    case changed
    /// A task that hasn't ended when the log ends, and what can let it continue.
    case task
    /// A task stopped running, and what it waits for.
    case suspended
    /// A task that was suspended runs again.
    case resumed
    /// Objects that nothing can reach any more, or instances of a class that grows with each
    /// repetition of a scope.
    case object
    /// The numbers of live objects by class.
    case instances
    /// What an inspection found out about the process.
    case process
    /// What a thread does during an inspection, and its calls.
    case stack
    /// The most probable reason why the process hangs.
    case hang
    case end
  }

  /// The keys, in the order in which they appear in a line.
  package enum Key: String, CaseIterable, Sendable {
    case t, event
    case version, minor, trace, process, pid, host, started, recorder, segment
    case sub, lane, value, truncated, error, thread, op, library, source, function, type, observed
    case parent, cause, scope, outer, lifetime, frames, name, count, reason, on
    case kind, proof, tail
    case breakIndex = "break"
    case steps, owner, searched
    case records, lost
    case run, replaced
    case shared, twin
    case task, priority, state, wait, pause, awaits, canceled, reach, calls
    case members, held
    case command, tracer, moved
  }

  /// The operators that trace a subscription. The raw value is the text of the key `op`.
  @usableFromInline
  package enum Operator: String, CaseIterable, Sendable {
    case lane, debug, breakpoint
    /// Not an operator: any observation, if all observations are traced.
    case observe
    /// Not an operator: a task.
    case task
    /// Not an operator: objects that leaked, or instances of a class that grows.
    case object
  }

  /// The libraries of subscriptions that aren't ReactiveKit's. The raw value is the text of the key
  /// `library`.
  @usableFromInline
  package enum StreamLibrary: String, CaseIterable, Sendable {
    case asyncSequence = "AsyncSequence"
    case combine = "Combine"
    case observation = "Observation"
    case openCombine = "OpenCombine"
    case reactiveSwift = "ReactiveSwift"
    case rxSwift = "RxSwift"
  }

  /// The kinds of scopes. A scope without a kind was named by the program. The raw value is the
  /// text of the key `kind`.
  package enum ScopeKind: String, CaseIterable, Sendable {
    /// A test that Swift Testing or XCTest runs.
    case test
  }

  /// The intended lifetimes of a subscription. The raw value is the text of the key `lifetime`.
  package enum Lifetime: String, CaseIterable, Sendable {
    case process
  }

  /// The kinds of reasons why a subscription is alive. The raw value is the text of the key `kind`.
  package enum RetentionKind: String, CaseIterable, Sendable {
    /// A retain cycle keeps it alive.
    case cycle
    /// Something that lives until exit leads to it: a global variable, a Task or the stack of a
    /// thread.
    case path
    /// Nothing was found that holds it.
    case none
    /// The memory of the process can't be searched.
    case unsupported
  }

  /// The certainty of a retain cycle or a path. The raw value is the text of the key `proof`.
  package enum RetentionProof: String, CaseIterable, Sendable {
    case certain
    /// A step was found only by looking for words that may be pointers.
    case probable
  }

  /// The number of the main thread in every log.
  @inlinable package static var mainThread: Int { 1 }
}
