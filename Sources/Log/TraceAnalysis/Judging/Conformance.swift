import TraceFormat

/// What is wrong in a log although each of its lines is a record: records that contradict each
/// other or the rules of the format.
///
/// It doesn't repeat `Damage`.
package struct Conformance: Sendable {
  package enum Kind: CaseIterable, Sendable {
    // The first line.
    case traceID, started, pid
    // Subscriptions.
    case endedTwice, afterOwnEnd, timeDescends, laneChanges, parentIsItself
    case unknownParent, unknownCause, unknownTwin
    // Scopes and threads.
    case scopeTwice, scopeWithoutBeginning, unknownScope, unnamedThread
    // The last line.
    case recordCount, unfinishedLine
  }

  package struct Fault: Equatable, Sendable {
    package let kind: Kind
    /// The number of the line, from 1.
    package let line: Int
    /// The subscription, scope, thread or count that the fault is about.
    package let number: UInt64
  }

  /// The faults in the order of their lines, at most `maxCount`.
  package private(set) var faults: [Fault] = []
  private static let maxCount = 1000

  private struct Subscription {
    var lane: String?
    var thread: UInt64?
    var time: Nanoseconds
    var end: Nanoseconds?
  }

  /// A reference to something that can be written later.
  private struct Mention {
    let kind: Kind
    let number: UInt64
    let line: Int
  }

  private var subscriptions: [SubscriptionID: Subscription] = [:]
  private var scopes: Set<UInt64> = []
  private var threads: Set<UInt64> = []
  private var mentions: [Mention] = []
  private var threadMentions: [UInt64: Int] = [:]
  private var unfinished: [Int] = []
  private var records: UInt64 = 0
  private var isLaterFile = false
  /// A Boolean value that indicates whether there has been a record since the last end.
  private var isOpen = false

  /// Reads a file from its beginning to its end.
  package init(_ file: LogSource) throws(LogError) {
    self = try ParallelReading([file], workers: 1).read(Conformance()).visitor
    faults.sort { $0.line < $1.line }
  }

  private init() {}

  private mutating func note(_ kind: Kind, _ line: Int, _ number: UInt64 = 0) {
    guard faults.count < Self.maxCount else { return }
    faults.append(Fault(kind: kind, line: line, number: number))
  }
}

extension Conformance: MergingVisitor {
  package mutating func visit(_ record: TraceRecord, at location: TraceRecord.Location) {
    let line = location.line
    if case .trace(let header) = record.body { begin(header, line) }
    isOpen = true
    if record.isUnfinished { unfinished.append(line) }
    if let (kind, moment) = record.body.moment {
      check(kind, moment, at: record.time, line)
    } else {
      checkOther(record, line)
    }
    records += 1
  }

  package mutating func skip(_ kind: Damage.Kind, line: Int) { records += 1 }

  package mutating func append(_ next: consuming Conformance, lines: Int) {
    faults += next.faults.map { Fault(kind: $0.kind, line: $0.line + lines, number: $0.number) }
  }

  /// A log without an end lacks what its process didn't live to write.
  package mutating func finish() { if isOpen { finishLog(isComplete: false) } }

  private mutating func begin(_ header: TraceHeader, _ line: Int) {
    if isOpen { finishLog(isComplete: false) }
    records = 0
    isLaterFile = (header.segment ?? 1) > 1
    let isID = header.trace?.utf8.count == 32 && header.trace?.allSatisfy(\.isHexDigit) == true
    if !isID { note(.traceID, line) }
    if header.started.map(Self.isTime) != true { note(.started, line) }
    if (header.pid ?? 0) == 0 { note(.pid, line) }
  }

  /// Returns whether a text is a time with its zone, such as `2026-11-28T20:00:00.5Z`.
  private static func isTime(_ text: String) -> Bool {
    RFC3339.nanoseconds(of: text) != nil && text.dropFirst(19).contains { "Zz+-".contains($0) }
  }

  // MARK: Subscriptions

  private mutating func begin(_ record: TraceRecord.Subscribe, _ time: Nanoseconds, _ line: Int) {
    // `Damage` has a second beginning.
    if subscriptions[record.id] == nil {
      subscriptions[record.id] = Subscription(
        lane: record.lane?.string, thread: record.thread, time: time)
    }
    if record.parent == record.id {
      note(.parentIsItself, line, record.id.number)
    } else {
      mention(.unknownParent, record.parent?.number, line)
    }
    mention(.unknownCause, record.cause?.number, line)
    mention(.unknownTwin, record.twin?.number, line)
    mention(.unknownScope, record.scope, line)
    mention(record.thread, line)
  }

  private mutating func check(
    _ kind: LogFormat.Event, _ moment: TraceRecord.Moment, at time: Nanoseconds, _ line: Int
  ) {
    mention(moment.thread, line)
    // `Damage` has a missing beginning.
    guard var known = subscriptions[moment.id] else { return }
    let number = moment.id.number
    if let lane = known.lane, let own = moment.lane?.string, lane != own {
      note(.laneChanges, line, number)
    }
    let isEnd = kind != .next && kind != .breakpoint
    if isEnd, known.end != nil {
      note(.endedTwice, line, number)
    } else if let end = known.end, time > end {
      note(.afterOwnEnd, line, number)
    } else if known.end == nil, known.thread == moment.thread, time < known.time {
      // The lines of several threads aren't in the order of their times.
      note(.timeDescends, line, number)
    }
    if isEnd, known.end == nil { known.end = time }
    (known.thread, known.time) = (moment.thread, max(known.time, time))
    subscriptions[moment.id] = known
  }

  // MARK: Other records

  private mutating func checkOther(_ record: TraceRecord, _ line: Int) {
    switch record.body {
    case .subscribe(let beginning), .alive(let beginning):
      begin(beginning, record.time, line)
    case .task(let task) where subscriptions[task.beginning.id] == nil:
      subscriptions[task.beginning.id] = Subscription(
        lane: nil, thread: nil, time: record.time)
    case .object(let object):
      subscriptions[object.beginning.id] = Subscription(lane: nil, thread: nil, time: record.time)
    case .changed(let changed):
      mention(.unknownParent, changed.parent?.number, line)
      mention(.unknownTwin, changed.twin?.number, line)
    case .thread(let number, _): threads.insert(number)
    case .scopeBegin(let scope):
      if !scopes.insert(scope.number).inserted { note(.scopeTwice, line, scope.number) }
      mention(.unknownScope, scope.outer, line)
    case .scopeEnd(let number, _): mention(.scopeWithoutBeginning, number, line)
    case .end(let counted, _, _, _), .continued(let counted, _):
      if let counted, counted != records { note(.recordCount, line, counted) }
      finishLog(isComplete: true)
    default: break
    }
  }

  private mutating func mention(_ kind: Kind, _ number: UInt64?, _ line: Int) {
    guard let number, !isLaterFile else { return }
    mentions.append(Mention(kind: kind, number: number, line: line))
  }

  private mutating func mention(_ thread: UInt64?, _ line: Int) {
    if let thread, threadMentions[thread] == nil { threadMentions[thread] = line }
  }

  private mutating func finishLog(isComplete: Bool) {
    for mention in mentions where !isKnown(mention) {
      note(mention.kind, mention.line, mention.number)
    }
    if isComplete {
      for (thread, line) in threadMentions where !threads.contains(thread) {
        note(.unnamedThread, line, thread)
      }
      for line in unfinished { note(.unfinishedLine, line) }
    }
    let found = faults
    self = Conformance()
    faults = found
    // The line that ends the log isn't counted yet, and nothing that follows it belongs to it.
    isOpen = false
  }

  private func isKnown(_ mention: Mention) -> Bool {
    switch mention.kind {
    case .unknownScope, .scopeWithoutBeginning: scopes.contains(mention.number)
    default: SubscriptionID(mention.number).map { subscriptions[$0] != nil } ?? false
    }
  }
}
