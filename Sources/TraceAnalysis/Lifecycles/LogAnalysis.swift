package import TraceFormat

/// What logs say, one or several together, on one axis of time.
package struct LogAnalysis: Sendable {
  /// In the order in which they were named, but for the files of one log, which are put together.
  package internal(set) var logs: [TraceLog] = []
  /// Log by log, and in each in the order in which they first appear.
  package internal(set) var lifecycles: [Lifecycle] = []
  package internal(set) var marks: [LogMark] = []
  package internal(set) var scopes: [LogScope] = [] {
    didSet {
      scopePlaces = Dictionary(
        scopes.indices.map { (NumberInLog(scopes[$0]), $0) },
        uniquingKeysWith: { first, _ in first })
    }
  }
  private var scopePlaces: [NumberInLog: Int] = [:]
  /// What was read; places of records count these.
  package internal(set) var files: [LogSource] = []
  /// The stretches of the files that belong to one log each, in the order of the files.
  package internal(set) var sections: [Section] = []
  /// From the beginning of the first log to the last record of all.
  package internal(set) var duration = Nanoseconds.zero

  /// Of no logs.
  package static let empty = LogAnalysis()

  init() {}

  /// A stretch of a file that belongs to one log.
  package struct Section: Sendable {
    package let file: Int
    package let offset: Int
    /// Nil where it repeats what was read already, or a file behind it is missing.
    package let log: Int?
    /// The trace that its header names.
    let trace: String?
    package let damage: Damage
  }

  package subscript(id: SubscriptionID, log log: Int = 0) -> Lifecycle? {
    index(of: id, log: log).map { lifecycles[$0] }
  }

  /// The place of a subscription in `lifecycles`.
  package func index(of id: SubscriptionID, log: Int = 0) -> Int? {
    guard logs.indices.contains(log) else { return nil }
    return logs[log].table.index(of: id).map { logs[log].members.lowerBound + $0 }
  }

  /// The place of the subscription downstream of another.
  package func parent(of lifecycle: Lifecycle) -> Int? {
    lifecycle.parent.flatMap { index(of: $0, log: Int(lifecycle.log)) }
  }

  /// The scope that a subscription was made in.
  package func scope(of lifecycle: Lifecycle) -> LogScope? {
    guard let number = lifecycle.scope else { return nil }
    return scopePlaces[NumberInLog(log: Int(lifecycle.log), number: number)].map { scopes[$0] }
  }

  package func scope(_ number: UInt64, log: Int) -> LogScope? {
    scopePlaces[NumberInLog(log: log, number: number)].map { scopes[$0] }
  }

  package var header: TraceHeader? { logs.first?.header }
  package var records: Int { logs.reduce(0) { $0 + $1.records } }
  package var activeCount: Int { lifecycles.count { $0.isActive } }

  /// What is wrong with the lines of all files together.
  package var damage: Damage {
    sections.reduce(into: Damage()) { $0.merge($1.damage) }
  }

  /// Whether there is anything that `Damage` has a name for: the one question that `--strict` and a repair ask.
  package var isDamaged: Bool { sections.contains { !$0.damage.isEmpty } }

  /// The end of a subscription, or of its log while it is active: as far as anybody knows of it.
  package func lastMoment(of lifecycle: Lifecycle) -> Nanoseconds {
    lifecycle.end ?? max(lifecycle.start, logs[Int(lifecycle.log)].lastTime)
  }

  /// How long a subscription has lived, or did.
  package func age(of lifecycle: Lifecycle) -> Nanoseconds {
    lifecycle.life ?? logs[Int(lifecycle.log)].lastTime.since(lifecycle.start)
  }

  /// What tells a subscription from all others: `#7`, with its process where there are several logs.
  package func name(of lifecycle: Lifecycle) -> String {
    logs.count < 2 ? "\(lifecycle.id)" : "\(lifecycle.id) of \(logs[Int(lifecycle.log)].title)"
  }
}
