import TraceAnalysis
import TraceFormat

/// The changes of a repair, counted by kind.
package struct RepairTally: Equatable {
  enum Kind: Int, CaseIterable {
    // Lines that are left out and may have been records.
    case malformed, incomplete, tooLong, torn
    // Data that could not be unpacked.
    case packingCut, packingDamaged, packingTrailed
    // Records that are left out.
    case repeated, beforeGap, secondBeginning, secondEnd
    // Records that are moved or added.
    case movedEnd, header, beginning, lost
    // Bytes that are left out or replaced although they are not damage.
    case blank, byteOrderMark, nul, carriageReturn, space, invalidText, unended

    /// A Boolean value that indicates whether the line may have contained a record.
    var mayBeRecord: Bool {
      switch self {
      case .malformed, .incomplete, .tooLong, .torn: true
      default: false
      }
    }

    /// A Boolean value that indicates whether readers of logs ignore the bytes, so that only other
    /// readers of JSON Lines may reject them.
    var isTidying: Bool {
      switch self {
      case .blank, .byteOrderMark, .nul, .carriageReturn, .space, .invalidText, .unended: true
      default: false
      }
    }

    init?(_ damage: Damage.Kind) {
      switch damage {
      case .packingCut: self = .packingCut
      case .packingDamaged: self = .packingDamaged
      case .packingTrailed: self = .packingTrailed
      default: return nil
      }
    }
  }

  struct Entry: Equatable {
    var count: Int
    let firstLine: Int
  }

  private(set) var entries: [Kind: Entry] = [:]

  package init() {}

  mutating func note(_ kind: Kind, line: Int) {
    entries[kind, default: Entry(count: 0, firstLine: line)].count += 1
  }

  func count(_ kind: Kind) -> Int {
    entries[kind]?.count ?? 0
  }
}

/// The lines that a repair adds to a log, without newlines.
enum RepairLines {
  /// Returns a first line with every key of the format, for an unknown process.
  static func header(trace: String) -> String {
    let unknown = LogIdentity(trace: trace, process: "-", pid: 0, host: "-", started: "-")
    return String(decoding: HeaderLine.bytes(unknown).dropLast(), as: UTF8.self)
  }

  /// Returns a line that says that a subscription is alive, without the details of its beginning.
  static func alive(_ id: SubscriptionID, lane: String, at time: Nanoseconds) -> String {
    line(time, .alive) { json in
      json.integer(LogFormat.Key.sub.rawValue, id.number)
      json.string(LogFormat.Key.lane.rawValue, lane)
    }
  }

  static func lost(_ count: Int, at time: Nanoseconds) -> String {
    line(time, .lost) { json in
      json.integer(LogFormat.Key.count.rawValue, count)
      json.string(LogFormat.Key.reason.rawValue, "damaged lines were left out by a repair")
    }
  }

  /// Returns the last line of a log or of one of its files.
  static func closing(
    _ event: LogFormat.Event, at time: Nanoseconds, records: Int, lost: UInt64, reason: String?
  ) -> String {
    line(time, event) { json in
      if let reason { json.string(LogFormat.Key.reason.rawValue, reason) }
      json.integer(LogFormat.Key.records.rawValue, records)
      json.integer(LogFormat.Key.lost.rawValue, lost)
    }
  }

  private static func line(
    _ time: Nanoseconds, _ event: LogFormat.Event, _ members: (inout JSONWriter) -> Void
  ) -> String {
    var json = JSONWriter()
    json.object { json in
      json.integer(LogFormat.Key.t.rawValue, time.count)
      json.string(LogFormat.Key.event.rawValue, event.rawValue)
      members(&json)
    }
    return json.text
  }

  /// Returns the subscription that a record is about.
  static func subscription(of record: TraceRecord) -> SubscriptionID? {
    switch record.body {
    case .suspended(let suspended): suspended.id
    case .resumed(let id, _): id
    default: record.body.moment?.moment.id
    }
  }
}
