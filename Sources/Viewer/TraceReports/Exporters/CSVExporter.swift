import TerminalUI
import TraceAnalysis
import TraceFormat
import ViewerConsole

/// A CSV table for spreadsheets and databases. It has a line for each record, in the order of the
/// files. Lines end with CRLF, as RFC 4180 requires.
///
/// Each column has the name of its key, with these exceptions: `time_ns` is `t` on the common axis
/// of all logs, `log` is the index of the log from 0, and `thread_name` is the name of the thread.
/// `name` is also the process of a `trace`, and `count` is also the `records` of the line that
/// closes a file. The table omits the keys of a header other than its process and segment, and the
/// keys `outer`, `frames` and `on`.
///
/// Text is the text of the log, character by character, except for the `'` before a formula
/// (`Escaping.csvField`). Text is made safe only for a terminal.
struct CSVExporter: Exporter, ExportVisitor {
  static let hasFindings = false

  static let columns = [
    "time_ns", "log", "event", "sub", "lane", "value", "truncated", "error", "thread",
    "thread_name", "op", "source", "function", "type", "parent", "cause", "scope", "lifetime",
    "name", "count", "reason", "segment", "lost",
  ]

  private let selection: ExportSelection
  private let output: Output
  private var bytes: [UInt8] = []
  /// The lanes as CSV fields. They are cached because there are few lanes and many lines.
  private var lanes: [ObjectIdentifier: String] = [:]
  /// Returns text as a CSV field.
  private let field: (String) -> String

  init(_ selection: ExportSelection, _ output: Output) {
    self.selection = selection
    self.output = output
    field = output.isTerminal ? { Escaping.shownCSVField($0) } : { Escaping.csvField($0) }
  }

  mutating func export() throws(LogError) {
    output.write(Self.columns.joined(separator: ",") + "\r\n")
    try selection.walk(&self)
    flush()
  }

  private mutating func flush() {
    output.write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  mutating func take(_ record: ExportRecord) {
    guard record.isInWindow, output.failure == nil else { return }
    var row = Row(time: record.time, log: record.log, field: field)
    switch record.body {
    case .trace(let header):
      row.event = .trace
      row.name = header.process
      row.segment = header.segment
    case .thread(let number, let name):
      row.event = .thread
      row.thread = number
      row.name = name?.string
    case .subscribe(let it): row.fill(.subscribe, it)
    case .alive(let it): row.fill(.alive, it)
    case .place(let lane, let source, let function, _):
      row.event = .place
      row.lane = field(lane.string)
      row.source = source?.string
      row.function = function?.string
    case .retained(let it):
      row.event = .retained
      row.id = it.id
      let path = it.retention.steps.map(RetentionWords.name).joined(separator: " -> ")
      row.reason = path.isEmpty ? it.retention.kind.rawValue : path
    case .changed(let it):
      row.event = .changed
      row.id = it.id
      row.changed = it
    case .task(let it):
      row.event = .task
      row.id = it.beginning.id
      row.name = it.facts.name
      row.reason = it.facts.reach?.rawValue
    case .object(let it):
      row.event = .object
      row.id = it.beginning.id
      row.name = it.beginning.lane?.string
    case .instances: row.event = .instances
    case .process: row.event = .process
    case .stack(let it):
      row.event = .stack
      row.name = it.name
      row.reason = it.activity.kind.rawValue
    case .hang(let it):
      row.event = .hang
      row.name = it.test
      row.reason = it.cause.rawValue
    case .suspended(let it):
      row.event = .suspended
      row.id = it.id
      row.reason = it.wait?.rawValue
      row.source = it.source?.string
      row.function = it.function?.string
    case .resumed(let id, _):
      row.event = .resumed
      row.id = id
    case .next(let it): row.fill(.next, it)
    case .completed(let it): row.fill(.completed, it)
    case .failed(let it): row.fill(.failed, it)
    case .disposed(let it): row.fill(.disposed, it)
    case .released(let it): row.fill(.released, it)
    case .breakpoint(let it): row.fill(.breakpoint, it)
    case .mark(let name):
      row.event = .mark
      row.name = name?.string
    case .scopeBegin(let it):
      row.event = .scopeBegin
      row.scope = it.number
      row.name = it.name?.string
      row.source = it.source?.string
    case .scopeEnd(let number, let name):
      row.event = .scopeEnd
      row.scope = number
      row.name = name?.string
    case .lost(let count, let reason):
      row.event = .lost
      row.count = count
      row.reason = reason?.string
    case .end(let records, let lost, _, let limit):
      row.event = .end
      row.reason = limit?.reason
      row.count = records
      row.lost = lost
    case .continued(let records, let lost):
      row.event = .continued
      row.count = records
      row.lost = lost
    case .unknown: return
    }
    if let index = record.index { row.lane = lane(index) }
    if row.subscribe != nil, let site = record.index.map({ selection.log.lifecycles[$0].site }) {
      row.source = site.source
      row.function = site.function
    }
    if let thread = row.thread, row.event != .thread {
      row.threadName = selection.log.logs[record.log].threads[thread]
    }
    row.append(to: &bytes)
    if bytes.count > 1 << 16 { flush() }
  }

  /// Returns the lane from the analysis. A single record might not have it.
  private mutating func lane(_ index: Int) -> String {
    let site = selection.log.lifecycles[index].site
    if let known = lanes[ObjectIdentifier(site)] { return known }
    let lane = field(site.lane)
    lanes[ObjectIdentifier(site)] = lane
    return lane
  }
}

extension CSVExporter {
  /// A line before it is written. A `nil` value becomes an empty field.
  private struct Row {
    let time: Nanoseconds
    let log: Int
    let field: (String) -> String
    var event = LogFormat.Event.trace
    /// The subscription of a record that is neither a beginning nor an event.
    var id: SubscriptionID?
    var subscribe: TraceRecord.Subscribe?
    var moment: TraceRecord.Moment?
    var changed: TraceRecord.Changed?
    /// The lane, already escaped.
    var lane = ""
    var thread: UInt64?
    var threadName: String?
    var source: String?
    var function: String?
    var scope: UInt64?
    var name: String?
    var count: UInt64?
    var reason: String?
    var segment: UInt64?
    var lost: UInt64?

    init(time: Nanoseconds, log: Int, field: @escaping (String) -> String) {
      self.time = time
      self.log = log
      self.field = field
    }

    mutating func fill(_ event: LogFormat.Event, _ record: TraceRecord.Subscribe) {
      self.event = event
      subscribe = record
      thread = record.thread
      scope = record.scope
    }

    mutating func fill(_ event: LogFormat.Event, _ record: TraceRecord.Moment) {
      self.event = event
      moment = record
      thread = record.thread
    }

    /// Appends the fields in the order of the columns.
    func append(to line: inout [UInt8]) {
      JSONText.append(time.count, to: &line)
      add(UInt64(log), to: &line)
      add(event.rawValue, to: &line)
      add((moment?.id ?? subscribe?.id ?? id)?.number, to: &line)
      line.append(UInt8(ascii: ","))
      line.append(contentsOf: lane.utf8)
      add(event == .failed ? nil : moment?.text?.string, to: &line)
      add(moment?.truncated, to: &line)
      add(event == .failed ? moment?.text?.string : nil, to: &line)
      add(thread, to: &line)
      add(threadName, to: &line)
      add(subscribe?.op?.rawValue, to: &line)
      add(source, to: &line)
      add(function, to: &line)
      add(subscribe?.type?.string, to: &line)
      add((subscribe?.parent ?? changed?.parent)?.number, to: &line)
      add(subscribe?.cause?.number, to: &line)
      add(scope, to: &line)
      let isForProcess = subscribe?.livesUntilExit == true
      add(isForProcess ? LogFormat.Lifetime.process.rawValue : nil, to: &line)
      add(name, to: &line)
      add(count, to: &line)
      add(reason, to: &line)
      add(segment, to: &line)
      add(lost, to: &line)
      line.append(contentsOf: "\r\n".utf8)
    }

    private func add(_ number: UInt64?, to line: inout [UInt8]) {
      line.append(UInt8(ascii: ","))
      if let number { JSONText.append(number, to: &line) }
    }

    private func add(_ text: String?, to line: inout [UInt8]) {
      line.append(UInt8(ascii: ","))
      if let text { line.append(contentsOf: field(text).utf8) }
    }
  }
}
