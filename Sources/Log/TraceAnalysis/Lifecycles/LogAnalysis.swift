package import TraceFormat

/// The content of one or more logs, on one time axis.
package struct LogAnalysis: Sendable {
  /// The logs in the order in which their files were named, with the files of one log grouped.
  package internal(set) var logs: [TraceLog] = []
  /// The subscriptions, log by log, and in each log in the order in which they first appear.
  package internal(set) var lifecycles = LifecycleList()
  package internal(set) var marks: [LogMark] = []
  package internal(set) var scopes: [LogScope] = [] {
    didSet {
      scopeIndices = Dictionary(
        scopes.indices.map { (NumberInLog(scopes[$0]), $0) },
        uniquingKeysWith: { first, _ in first })
    }
  }
  private var scopeIndices: [NumberInLog: Int] = [:]
  /// The files that were read. The locations of records refer to them by index.
  package internal(set) var files: [LogSource] = []
  /// The parts of the files that belong to one log each, in the order of the files.
  package internal(set) var sections: [Section] = []
  /// The time from the beginning of the first log to the last record of all logs.
  package internal(set) var duration = Nanoseconds.zero

  /// An analysis without logs.
  package static let empty = LogAnalysis()

  init() {}

  /// A part of a file that belongs to one log.
  package struct Section: Sendable {
    package let file: Int
    package let offset: Int
    /// The index of the log; nil if the section repeats what was already read, if a file after it
    /// is missing, or if this version can't read it.
    package let log: Int?
    /// The trace that the header names.
    let trace: String?
    package let damage: Damage
  }

  package subscript(id: SubscriptionID, log log: Int = 0) -> Lifecycle? {
    index(of: id, log: log).map { lifecycles[$0] }
  }

  /// Returns the index of a subscription in `lifecycles`.
  package func index(of id: SubscriptionID, log: Int = 0) -> Int? {
    guard logs.indices.contains(log) else { return nil }
    return logs[log].table.index(of: id).map { logs[log].members.lowerBound + $0 }
  }

  /// Returns the index of the subscription downstream of another one.
  package func parent(of lifecycle: Lifecycle) -> Int? {
    lifecycle.parent.flatMap { index(of: $0, log: Int(lifecycle.log)) }
  }

  /// Returns the index of the subscription downstream of the one with an index.
  func parent(ofIndex index: Int) -> Int? {
    SubscriptionID(lifecycles.origin(at: index).parent.number).flatMap {
      self.index(of: $0, log: Int(lifecycles.activity(at: index).log))
    }
  }

  /// Returns the scope that a subscription was made in.
  package func scope(of lifecycle: Lifecycle) -> LogScope? {
    guard let number = lifecycle.scope else { return nil }
    return scopeIndices[NumberInLog(log: Int(lifecycle.log), number: number)].map { scopes[$0] }
  }

  /// Returns the scope of the test during which a subscription was made, if it was made in a test.
  package func test(of lifecycle: Lifecycle) -> LogScope? {
    var scope = scope(of: lifecycle)
    // A damaged log can have scopes that are in each other.
    for _ in 0..<Self.maxNesting {
      guard let current = scope, !current.isTest else { return scope }
      scope = current.outer.flatMap { self.scope($0, log: current.log) }
    }
    return nil
  }

  private static let maxNesting = 64

  package func scope(_ number: UInt64, log: Int) -> LogScope? {
    scopeIndices[NumberInLog(log: log, number: number)].map { scopes[$0] }
  }

  package var header: TraceHeader? { logs.first?.header }
  package var records: Int { logs.reduce(0) { $0 + $1.records } }
  package var activeCount: Int { lifecycles.count(in: lifecycles.indices, where: \.isActive) }

  /// Returns the number of subscriptions of a log that are active, without leaked objects.
  package func activeSubscriptions(of log: Int) -> Int {
    lifecycles.count(in: logs[log].members) { $0.isActive && !$0.isObject }
  }

  /// The damage in the lines of all files together.
  package var damage: Damage {
    sections.reduce(into: Damage()) { $0.merge($1.damage) }
  }

  /// A Boolean value that indicates whether there is any damage. `--strict` and a repair need only
  /// this.
  package var isDamaged: Bool { sections.contains { !$0.damage.isEmpty } }

  /// Returns the index of the section that contains a record: the last one that begins at its
  /// location or before it.
  func section(of location: TraceRecord.Location) -> Int {
    let next = sections.partitionPoint {
      ($0.file, $0.offset) > (location.file, location.offset)
    }
    return max(0, next - 1)
  }

  /// Returns the end of a subscription or, while it is active, the last known time of its log.
  package func lastMoment(of lifecycle: Lifecycle) -> Nanoseconds {
    lastMoment(lifecycle.activity, lifecycle.origin)
  }

  func lastMoment(_ activity: Activity, _ origin: Origin) -> Nanoseconds {
    activity.isActive
      ? max(origin.start, logs[Int(activity.log)].lastTime) : Nanoseconds(origin.end)
  }

  /// Returns the lifetime of a subscription or, while it is active, the time since its beginning.
  package func age(of lifecycle: Lifecycle) -> Nanoseconds {
    lifecycle.life ?? logs[Int(lifecycle.log)].lastTime.since(lifecycle.start)
  }

  /// Returns a unique name of a subscription: `#7`, with its process if there are several logs.
  package func name(of lifecycle: Lifecycle) -> String {
    logs.count < 2 ? "\(lifecycle.id)" : "\(lifecycle.id) of \(logs[Int(lifecycle.log)].title)"
  }
}
