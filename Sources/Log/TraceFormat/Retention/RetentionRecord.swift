/// The reason why a subscription is alive, as an unchecked record of the log.
package struct RetentionRecord {
  package var kind: Retention.Kind = .none
  package var proof: LogFormat.RetentionProof = .probable
  package var steps: [Retention.Step] = []
  package var tail: UInt64?
  package var breakIndex: UInt64?
  package var owner: Retention.Owner?
  package var limit: Retention.Limit?

  package init() {}
}

extension Retention {
  /// The maximum number of steps that are written. Longer paths omit some steps.
  package static let maxSteps = 64

  /// Creates the retention that a record describes. Ignores numbers that don't fit the path.
  package init(_ record: RetentionRecord) {
    // A cycle has at least one step of its own. Without steps, a retention doesn't prove anything.
    let hasCycle = record.kind == .cycle && !record.steps.isEmpty
    self.init(
      kind: hasCycle || record.kind != .cycle ? record.kind : .none,
      isProbable: record.proof == .probable && !record.steps.isEmpty, steps: record.steps,
      tail: hasCycle ? Int(min(record.tail ?? 0, UInt64(record.steps.count - 1))) : 0,
      breakIndex: record.breakIndex.flatMap { $0 < UInt64(record.steps.count) ? Int($0) : nil },
      owner: record.owner, limit: record.limit)
  }
}

extension Retention.Limit {
  /// The names of limits in the log. The raw value is the text of the key `reason`.
  private enum Word: String {
    case observation, time, memory, platform, trait
  }

  /// The text of the key `reason`, or nil if the limit is the memory that was searched.
  package var reason: String? {
    switch self {
    case .searched: nil
    case .notAnObservation: Word.observation.rawValue
    case .time: Word.time.rawValue
    case .memory: Word.memory.rawValue
    case .platform: Word.platform.rawValue
    case .trait: Word.trait.rawValue
    }
  }

  /// Creates a limit from the keys `reason` and `searched`. Returns nil if neither is known.
  package init?(reason: String?, searched: UInt64?) {
    switch reason.flatMap({ Word(rawValue: $0) }) {
    case .observation: self = .notAnObservation
    case .time: self = .time
    case .memory: self = .memory
    case .platform: self = .platform
    case .trait: self = .trait
    case nil:
      guard let searched else { return nil }
      self = .searched(bytes: Int(clamping: searched))
    }
  }
}
