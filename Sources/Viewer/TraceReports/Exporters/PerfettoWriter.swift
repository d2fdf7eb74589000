import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords

/// A writer for packets: a sequence for each log, whose first packet defines the constant interned
/// names.
struct PerfettoWriter {
  private let log: LogAnalysis
  private let output: Output
  private var bytes = ProtobufWriter()
  private var names: [PerfettoNames]

  /// The number of bytes that are collected before they go to the output.
  private static let pieceSize = 1 << 16

  init(_ log: LogAnalysis, _ output: Output) {
    self.log = log
    self.output = output
    names = Array(repeating: PerfettoNames(), count: log.logs.count)
  }

  /// Writes the first packet of a log.
  mutating func begin(_ log: Int, _ body: (inout ProtobufWriter) -> Void) {
    packet(log, flags: PerfettoValue.stateCleared) {
      $0.bool(PerfettoField.Packet.firstPacketOnSequence, true)
      $0.message(PerfettoField.Packet.internedData) { PerfettoNames.writeConstants(to: &$0) }
      body(&$0)
    }
  }

  mutating func packet(_ log: Int, flags: UInt64? = nil, _ body: (inout ProtobufWriter) -> Void) {
    bytes.message(PerfettoField.Trace.packet) {
      $0.varint(PerfettoField.Packet.trustedPacketSequenceID, UInt64(log + 1))
      if let flags { $0.varint(PerfettoField.Packet.sequenceFlags, flags) }
      body(&$0)
    }
    if bytes.bytes.count >= Self.pieceSize { flush() }
  }

  /// Writes an event on a track.
  ///
  /// - Parameters:
  ///   - site: The site that supplies the name and the source location of the event.
  ///   - thread: The thread of the event.
  mutating func event(
    _ number: Int, _ time: Nanoseconds, _ type: UInt64, _ track: UInt64, site: Site? = nil,
    thread: UInt64? = nil, _ body: (inout ProtobufWriter) -> Void
  ) {
    let lane = site.map { site in
      let (name, isNew) = names[number].lane(site)
      return (site: site, number: name, isNew: isNew)
    }
    var threadName: (text: String, number: UInt64, isNew: Bool)?
    if let thread, let text = log.logs[number].threads[thread] {
      let (name, isNew) = names[number].name(ofThread: thread)
      threadName = (text, name, isNew)
    }
    packet(number, flags: PerfettoValue.needsState) { packet in
      packet.varint(PerfettoField.Packet.timestamp, time.count)
      if lane?.isNew == true || threadName?.isNew == true {
        packet.message(PerfettoField.Packet.internedData) { data in
          if let lane, lane.isNew { PerfettoNames.write(lane.site, lane.number, to: &data) }
          if let threadName, threadName.isNew {
            PerfettoNames.write(threadName: threadName.text, threadName.number, to: &data)
          }
        }
      }
      packet.message(PerfettoField.Packet.trackEvent) {
        $0.varint(PerfettoField.Event.type, type)
        $0.varint(PerfettoField.Event.trackUUID, track)
        if let lane { $0.name(lane: lane.number, lane.site) }
        if let thread { $0.annotate(thread: thread, name: threadName?.number) }
        body(&$0)
      }
    }
  }

  /// Returns a finding whose texts that other subscriptions share are defined in the sequence of a
  /// log.
  mutating func define(_ finding: ExportedFinding, _ log: Int) -> PerfettoFinding {
    PerfettoFinding(
      finding: finding, sentence: define(finding.head.sentence, log),
      place: define(finding.place, log), advice: define(finding.advice, log),
      origins: finding.head.origins.map { define($0, log) })
  }

  private mutating func define(_ text: String, _ log: Int) -> PerfettoText {
    guard let (number, isNew) = names[log].number(ofText: text) else { return .plain(text) }
    if isNew {
      packet(log, flags: PerfettoValue.needsState) {
        $0.message(PerfettoField.Packet.internedData) {
          PerfettoNames.write(text: text, number, to: &$0)
        }
      }
    }
    return .interned(number)
  }

  mutating func flush() {
    output.write(bytes.bytes)
    bytes.removeBytes()
  }
}

/// A text of an annotation.
enum PerfettoText {
  case plain(String)
  /// The number of an interned text.
  case interned(UInt64)
}

/// A finding with the texts that are interned, because many subscriptions have the same.
struct PerfettoFinding {
  let finding: ExportedFinding
  let sentence: PerfettoText
  let place: PerfettoText
  let advice: PerfettoText
  let origins: [PerfettoText]
}

// The contents of a Perfetto event whose message is being written.
extension ProtobufWriter {
  mutating func category(_ name: String) {
    if let number = PerfettoNames.category(name) {
      varint(PerfettoField.Event.categoryIIDs, number)
    }
  }

  /// Writes a name from the table of interned names.
  mutating func name(_ event: PerfettoNames.Event) {
    varint(PerfettoField.Event.nameIID, event.rawValue)
  }

  /// Writes a user-defined name that no other event shares.
  mutating func name(_ text: String) {
    string(PerfettoField.Event.name, text)
  }

  /// Writes the name of a lane with its source location and the operator that traces it.
  mutating func name(lane number: UInt64, _ site: Site) {
    varint(PerfettoField.Event.nameIID, PerfettoNames.eventName(lane: number))
    if site.source != nil { varint(PerfettoField.Event.sourceLocationIID, number) }
    if let op = site.op { category(op.rawValue) }
  }

  mutating func annotate(_ annotation: PerfettoNames.Annotation, _ text: String) {
    message(PerfettoField.Event.debugAnnotations) {
      $0.varint(PerfettoField.Annotation.nameIID, annotation.rawValue)
      $0.string(PerfettoField.Annotation.string, text)
    }
  }

  mutating func annotate(_ annotation: PerfettoNames.Annotation, _ number: UInt64) {
    message(PerfettoField.Event.debugAnnotations) {
      $0.varint(PerfettoField.Annotation.nameIID, annotation.rawValue)
      $0.varint(PerfettoField.Annotation.unsigned, number)
    }
  }

  /// Writes the number of a thread and the number of its interned name.
  mutating func annotate(thread: UInt64, name: UInt64?) {
    annotate(.thread, thread)
    guard let name else { return }
    message(PerfettoField.Event.debugAnnotations) {
      $0.varint(PerfettoField.Annotation.nameIID, PerfettoNames.Annotation.threadName.rawValue)
      $0.varint(PerfettoField.Annotation.stringIID, name)
    }
  }

  /// Writes the findings about a subscription as an array.
  mutating func annotate(_ findings: [PerfettoFinding]) {
    guard !findings.isEmpty else { return }
    message(PerfettoField.Event.debugAnnotations) {
      $0.varint(PerfettoField.Annotation.nameIID, PerfettoNames.Annotation.findings.rawValue)
      for finding in findings {
        $0.message(PerfettoField.Annotation.elements) { $0.members(of: finding) }
      }
    }
  }

  mutating func annotate(_ finding: PerfettoFinding) {
    message(PerfettoField.Event.debugAnnotations) {
      $0.varint(PerfettoField.Annotation.nameIID, PerfettoNames.Annotation.finding.rawValue)
      $0.members(of: finding)
    }
  }

  private mutating func members(of it: PerfettoFinding) {
    let finding = it.finding
    member(.id, .plain(finding.head.id))
    member(.rule, .plain(finding.head.rule))
    member(.severity, .plain(finding.head.severity.rawValue))
    member(.sentence, it.sentence)
    member(.place, it.place)
    if !finding.advice.isEmpty { member(.advice, it.advice) }
    if let holder = finding.holder { member(.holder, .plain(holder)) }
    member(.steps, finding.steps.map { PerfettoText.plain($0) })
    member(.objects, finding.objects.map { PerfettoText.plain($0) })
    member(.origins, it.origins)
  }

  private mutating func member(_ name: PerfettoNames.Annotation, _ text: PerfettoText) {
    message(PerfettoField.Annotation.members) {
      $0.varint(PerfettoField.Annotation.nameIID, name.rawValue)
      $0.value(text)
    }
  }

  private mutating func member(_ name: PerfettoNames.Annotation, _ texts: [PerfettoText]) {
    guard !texts.isEmpty else { return }
    message(PerfettoField.Annotation.members) {
      $0.varint(PerfettoField.Annotation.nameIID, name.rawValue)
      for text in texts { $0.message(PerfettoField.Annotation.elements) { $0.value(text) } }
    }
  }

  private mutating func value(_ text: PerfettoText) {
    switch text {
    case .plain(let text): string(PerfettoField.Annotation.string, text)
    case .interned(let number): varint(PerfettoField.Annotation.stringIID, number)
    }
  }

  /// Begins an arrow that ends at the event with the same flow number.
  mutating func beginFlow(_ number: UInt64) {
    fixed64(PerfettoField.Event.flowIDs, number)
  }

  mutating func endFlow(_ number: UInt64) {
    fixed64(PerfettoField.Event.terminatingFlowIDs, number)
  }
}

/// The interned names of a log: strings that packets repeat. Each string is written once and then
/// referred to by number.
struct PerfettoNames {
  /// The annotations of events, with the names that Perfetto shows.
  enum Annotation: UInt64, CaseIterable {
    case subscription = 1
    case value, truncated, thread, threadName, end, error, type, parent, cause, scope, lifetime
    case count, reason
    case findings, finding, id, rule, severity, sentence, place, advice, holder, steps
    case objects, origins

    var name: String { self == .threadName ? "thread_name" : "\(self)" }
  }

  /// The names of events that are not lanes.
  enum Event: UInt64, CaseIterable {
    case next = 1
    case breakpoint, lost
    case continuation, task, group, executor, wait

    init(_ wait: UnfinishedTask.Wait?) {
      switch wait {
      case .continuation: self = .continuation
      case .task: self = .task
      case .group: self = .group
      case .executor: self = .executor
      case nil: self = .wait
      }
    }

    var name: String {
      switch self {
      case .next: "next"
      case .breakpoint: "breakpoint"
      case .lost: "lost"
      case .continuation: "waits " + TaskWords.purpose(.continuation)
      case .task: "waits " + TaskWords.purpose(.task)
      case .group: "waits " + TaskWords.purpose(.group)
      case .executor: "waits " + TaskWords.purpose(.executor)
      case .wait: "waits " + TaskWords.purpose(nil)
      }
    }
  }

  /// The categories for selecting and searching in Perfetto: the operator that traces an event, or
  /// its kind.
  static let categories =
    LogFormat.Operator.allCases.map(\.rawValue) + ["mark", "scope", "lost", "wait", "finding"]

  static func category(_ name: String) -> UInt64? {
    categories.firstIndex(of: name).map { UInt64($0 + 1) }
  }

  private var sites: [ObjectIdentifier: UInt64] = [:]
  private var threads: [UInt64: UInt64] = [:]
  private var texts: [ExactText: UInt64] = [:]

  /// The maximum number of interned texts, so that memory use doesn't grow with the number of
  /// findings.
  private static let maxTexts = 1 << 14

  /// Returns the number of a lane and whether it is new. Lanes are compared by site, because two
  /// different spellings of one letter are different names although Swift strings compare them as
  /// equal.
  mutating func lane(_ site: Site) -> (number: UInt64, isNew: Bool) {
    if let known = sites[ObjectIdentifier(site)] { return (known, false) }
    // The number 0 means that the entry is missing.
    let number = UInt64(sites.count + 1)
    sites[ObjectIdentifier(site)] = number
    return (number, true)
  }

  /// Returns the number of a thread's name and whether it is new.
  mutating func name(ofThread thread: UInt64) -> (number: UInt64, isNew: Bool) {
    if let known = threads[thread] { return (known, false) }
    let number = nextString
    threads[thread] = number
    return (number, true)
  }

  /// The next number in the table of strings, which has the names of threads and the texts.
  private var nextString: UInt64 { UInt64(threads.count + texts.count + 1) }

  /// Returns the number of a text and whether it is new; `nil` if there are too many to intern it.
  mutating func number(ofText text: String) -> (number: UInt64, isNew: Bool)? {
    let key = ExactText(text: text)
    if let known = texts[key] { return (known, false) }
    guard texts.count < Self.maxTexts else { return nil }
    let number = nextString
    texts[key] = number
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
    write(text: name, number, to: &data)
  }

  static func write(text: String, _ number: UInt64, to data: inout ProtobufWriter) {
    entry(PerfettoField.Interned.annotationStrings, number, text, &data)
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

/// A text that is equal only to the same characters. Swift strings are also equal if one letter has
/// two different spellings.
private struct ExactText: Hashable {
  let text: String

  static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  // Equal bytes are equal strings, which have the same hash.
  func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
}
