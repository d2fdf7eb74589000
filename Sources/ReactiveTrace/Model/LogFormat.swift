/// The words of log format version 1, written once for those who write logs and those who read them.
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
    case end
  }

  /// The keys, in the order in which a line carries them.
  package enum Key: String, CaseIterable, Sendable {
    case t, event
    case version, trace, process, pid, host, started, recorder
    case sub, lane, value, truncated, error, thread, op, source, function, type
    case parent, cause, scope, lifetime, name, count, reason, on
    case records, lost
  }

  /// The operator that traces a subscription; the raw value is the text of the key `op`.
  package enum Operator: String, CaseIterable, Sendable {
    case lane, debug, breakpoint
  }

  /// How long a subscription is meant to live; the raw value is the text of the key `lifetime`.
  package enum Lifetime: String, CaseIterable, Sendable {
    case process
  }

  /// The number of the main thread in every log.
  package static let mainThread = 1
}
