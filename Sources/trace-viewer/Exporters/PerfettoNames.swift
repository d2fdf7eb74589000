import TerminalUI
import TraceAnalysis
import TraceFormat

/// The interned names of a log: texts that packets repeat. Each text is written once and then
/// referred to by number.
struct PerfettoNames {
  /// The annotations of events, with the names that Perfetto shows.
  enum Annotation: UInt64, CaseIterable {
    case subscription = 1
    case value, truncated, thread, threadName, end, error, type, parent, cause, scope, lifetime
    case count, reason

    var name: String {
      switch self {
      case .subscription: "subscription"
      case .value: "value"
      case .truncated: "truncated"
      case .thread: "thread"
      case .threadName: "thread_name"
      case .end: "end"
      case .error: "error"
      case .type: "type"
      case .parent: "parent"
      case .cause: "cause"
      case .scope: "scope"
      case .lifetime: "lifetime"
      case .count: "count"
      case .reason: "reason"
      }
    }
  }

  /// The names of events that are not lanes.
  enum Event: UInt64, CaseIterable {
    case next = 1
    case breakpoint, lost

    var name: String {
      switch self {
      case .next: "next"
      case .breakpoint: "breakpoint"
      case .lost: "lost"
      }
    }
  }

  /// The categories for selecting and searching in Perfetto: the operator that traces an event, or
  /// its kind.
  static let categories = LogFormat.Operator.allCases.map(\.rawValue) + ["mark", "scope", "lost"]

  static func category(_ name: String) -> UInt64? {
    categories.firstIndex(of: name).map { UInt64($0 + 1) }
  }

  private var sites: [ObjectIdentifier: UInt64] = [:]
  private var threads: [UInt64: UInt64] = [:]

  /// Returns the number of a lane and whether it is new. Lanes are compared by site, because two
  /// different spellings of one letter are different names although Swift strings compare them as
  /// equal.
  mutating func lane(_ site: Site) -> (number: UInt64, isNew: Bool) {
    if let known = sites[ObjectIdentifier(site)] { return (known, false) }
    // The number 0 means that there is no entry.
    let number = UInt64(sites.count + 1)
    sites[ObjectIdentifier(site)] = number
    return (number, true)
  }

  /// Returns the number of a thread's name and whether it is new.
  mutating func name(ofThread thread: UInt64) -> (number: UInt64, isNew: Bool) {
    if let known = threads[thread] { return (known, false) }
    let number = UInt64(threads.count + 1)
    threads[thread] = number
    return (number, true)
  }

  /// Returns the number of a lane's name in the table of event names.
  static func eventName(lane: UInt64) -> UInt64 {
    lane + UInt64(Event.allCases.count)
  }

  /// Writes the names that are known before the first event.
  static func writeConstants(to data: inout ProtobufWriter) {
    for (index, category) in categories.enumerated() {
      entry(PerfettoField.Interned.categories, UInt64(index + 1), category, &data)
    }
    for event in Event.allCases {
      entry(PerfettoField.Interned.eventNames, event.rawValue, event.name, &data)
    }
    for annotation in Annotation.allCases {
      entry(PerfettoField.Interned.annotationNames, annotation.rawValue, annotation.name, &data)
    }
  }

  /// Writes the entries of a lane: the name of its events and its source location.
  static func write(_ site: Site, _ number: UInt64, to data: inout ProtobufWriter) {
    entry(PerfettoField.Interned.eventNames, eventName(lane: number), site.lane, &data)
    guard let file = site.file else { return }
    data.message(PerfettoField.Interned.sourceLocations) {
      $0.varint(PerfettoField.Interned.iid, number)
      $0.string(PerfettoField.Interned.text, file)
      if let function = site.function { $0.string(PerfettoField.Interned.function, function) }
      if let line = site.line {
        $0.varint(PerfettoField.Interned.line, UInt64(UInt32(clamping: line)))
      }
    }
  }

  static func write(threadName name: String, _ number: UInt64, to data: inout ProtobufWriter) {
    entry(PerfettoField.Interned.annotationStrings, number, name, &data)
  }

  private static func entry(
    _ field: Int, _ number: UInt64, _ text: String, _ data: inout ProtobufWriter
  ) {
    data.message(field) {
      $0.varint(PerfettoField.Interned.iid, number)
      $0.string(PerfettoField.Interned.text, text)
    }
  }
}
