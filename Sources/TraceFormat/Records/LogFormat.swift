/// The words of log format version 1, written once for those who write logs and those who read them.
@usableFromInline
package enum LogFormat {
  /// The version that this package writes, and the newest that it reads.
  package static let version = 1

  /// The kinds of record; the raw value is the text of the key `event`.
  package enum Event: String, CaseIterable, Sendable {
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
    /// The log goes on in the next of its files.
    case continued
    /// A subscription that began in an earlier file of the log and is still alive: what its `subscribe` said.
    case alive
    /// Where a lane lies in the source that could not be told when it began.
    case place
    case end
  }

  /// The keys, in the order in which a line carries them.
  package enum Key: String, CaseIterable, Sendable {
    case t, event
    case version, trace, process, pid, host, started, recorder, segment
    case sub, lane, value, truncated, error, thread, op, source, function, type
    case parent, cause, scope, outer, lifetime, frames, name, count, reason, on
    case records, lost
  }

  /// The operator that traces a subscription; the raw value is the text of the key `op`.
  @usableFromInline
  package enum Operator: String, CaseIterable, Sendable {
    case lane, debug, breakpoint
    /// Not an operator: whatever is observed, where all of it is traced.
    case observe
  }

  /// How long a subscription is meant to live; the raw value is the text of the key `lifetime`.
  package enum Lifetime: String, CaseIterable, Sendable {
    case process
  }

  /// The number of the main thread in every log.
  package static let mainThread = 1
}
