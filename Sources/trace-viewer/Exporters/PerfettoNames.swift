import TerminalUI
import TraceAnalysis
import TraceFormat

/// Texts that stand in a log's packets again and again: each is written once and has a number from then on.
struct PerfettoNames {
  /// What is said of an event, under the name that Perfetto shows.
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

  /// The names of events that are no lanes.
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

  /// What is selected and searched for in Perfetto: the operator that traces, or what else an event is.
  static let categories = LogFormat.Operator.allCases.map(\.rawValue) + ["mark", "scope", "lost"]

  static func category(_ name: String) -> UInt64? {
    categories.firstIndex(of: name).map { UInt64($0 + 1) }
  }

  private var sites: [ObjectIdentifier: UInt64] = [:]
  private var threads: [UInt64: UInt64] = [:]

  /// The number of a lane, and whether it is new. By the place in the source, because spellings of one letter are two names.
  mutating func lane(_ site: Site) -> (number: UInt64, isNew: Bool) {
    if let known = sites[ObjectIdentifier(site)] { return (known, false) }
    // 0 says that there is no such entry.
    let number = UInt64(sites.count + 1)
    sites[ObjectIdentifier(site)] = number
    return (number, true)
  }

  /// The number of the name of a thread, and whether it is new.
  mutating func name(ofThread thread: UInt64) -> (number: UInt64, isNew: Bool) {
    if let known = threads[thread] { return (known, false) }
    let number = UInt64(threads.count + 1)
    threads[thread] = number
    return (number, true)
  }

  /// The number of a lane as the name of an event.
  static func eventName(lane: UInt64) -> UInt64 {
    lane + UInt64(Event.allCases.count)
  }

  /// Everything that is known before the first event.
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

  /// A lane: the name of its events, and its place in the source.
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
