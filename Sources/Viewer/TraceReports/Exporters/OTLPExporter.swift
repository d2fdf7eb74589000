import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords

/// An exporter for the JSON requests of OpenTelemetry collectors: a resource for each log and a
/// span for each subscription.
struct OTLPExporter: Exporter {
  private let selection: ExportSelection
  private let output: Output
  private let parents: SpanParents
  private let clock: UnixClock

  init(_ selection: ExportSelection, _ output: Output) {
    self.selection = selection
    self.output = output
    parents = SpanParents(selection)
    clock = UnixClock(selection.log)
  }

  mutating func export() throws(LogError) {
    var events = SpanEvents(selection)
    try selection.walk(&events)
    var json = JSONWriter()
    json.object {
      $0.array("resourceSpans") {
        for log in selection.log.logs.indices { writeResource(log, events, &$0) }
      }
    }
    json.newline()
    output.write(json.bytes)
  }

  private func writeResource(_ number: Int, _ events: SpanEvents, _ json: inout JSONWriter) {
    let log = selection.log.logs[number]
    json.object {
      $0.object("resource") {
        $0.array("attributes") {
          // The semantic conventions require this value if the name is not known.
          $0.attribute("service.name", log.header?.process ?? "unknown_service")
          if let pid = log.header?.pid { $0.attribute("process.pid", pid) }
          if let host = log.header?.host { $0.attribute("host.name", host) }
        }
      }
      $0.array("scopeSpans") {
        $0.object {
          $0.object("scope") {
            $0.string("name", "ReactiveTrace")
            if let version = log.header?.recorder { $0.string("version", version) }
          }
          $0.array("spans") {
            let trace = TraceNumber.text(of: log, number)
            for index in log.members where selection.contains(index) {
              writeSpan(index, trace, events, &$0)
              flush(&$0)
            }
          }
        }
      }
    }
  }

  private func flush(_ json: inout JSONWriter) {
    guard json.bytes.count > 1 << 16 else { return }
    output.write(json.bytes)
    json.removeBytes()
  }

  private func writeSpan(
    _ index: Int, _ trace: String, _ events: SpanEvents, _ json: inout JSONWriter
  ) {
    let lifecycle = selection.log.lifecycles[index]
    let findings = selection.findings.findings(of: index)
    // A span must have an end. The span of an active subscription ends with the log.
    let end = lifecycle.end ?? selection.log.logs[Int(lifecycle.log)].lastTime
    json.object {
      $0.string("traceId", trace)
      $0.string("spanId", lifecycle.id.hexadecimal)
      if let parent = parents[index] {
        $0.string("parentSpanId", selection.log.lifecycles[parent].id.hexadecimal)
      }
      $0.string("name", lifecycle.site.lane)
      $0.integer("kind", SpanKind.internal)
      $0.string("startTimeUnixNano", clock.text(lifecycle.start))
      $0.string("endTimeUnixNano", clock.text(max(end, lifecycle.start)))
      $0.array("attributes") {
        writeAttributes(lifecycle, &$0)
        writeWaits(index, &$0)
        if let finding = findings.first { write(finding, &$0) }
      }
      events.write(index, findings, clock, to: &$0)
      if let cause = lifecycle.cause, cause != lifecycle.id {
        $0.array("links") {
          $0.object {
            $0.string("traceId", trace)
            $0.string("spanId", cause.hexadecimal)
            $0.array("attributes") { $0.attribute("reactive.link", "cause") }
          }
        }
      }
      // The error of the subscription itself is more specific than a finding about it.
      let error = findings.first { $0.head.severity == .error }?.head.sentence
      if lifecycle.state == .failed || error != nil {
        let message = lifecycle.state == .failed ? events.error(of: index) : error
        $0.object("status") {
          if let message { $0.string("message", message) }
          $0.integer("code", SpanStatus.error)
        }
      }
    }
  }

  private func writeAttributes(_ lifecycle: Lifecycle, _ json: inout JSONWriter) {
    let site = lifecycle.site
    json.attribute("reactive.subscription", lifecycle.id.number)
    json.attribute("reactive.state", lifecycle.state.name)
    json.attribute("reactive.elements", UInt64(lifecycle.elements))
    if let op = site.op { json.attribute("reactive.operator", op.rawValue) }
    if let type = site.type { json.attribute("reactive.type", type) }
    if let scope = selection.scopeName(of: lifecycle) { json.attribute("reactive.scope", scope) }
    if lifecycle.livesUntilExit {
      json.attribute("reactive.lifetime", LogFormat.Lifetime.process.rawValue)
    }
    if let file = site.file { json.attribute("code.file.path", file) }
    if let line = site.line { json.attribute("code.line.number", UInt64(UInt32(clamping: line))) }
    if let function = site.function { json.attribute("code.function.name", function) }
  }

  /// Writes the most severe finding about a subscription. Events have all of them.
  private func write(_ finding: ExportedFinding, _ json: inout JSONWriter) {
    json.attribute("trace_viewer.finding.id", finding.head.id)
    json.attribute("trace_viewer.finding.rule", finding.head.rule)
    json.attribute("trace_viewer.finding.severity", finding.head.severity.rawValue)
    json.attribute("trace_viewer.finding.place", finding.place)
    if !finding.advice.isEmpty { json.attribute("trace_viewer.finding.advice", finding.advice) }
  }

  /// Writes how often and how long a task waited.
  private func writeWaits(_ index: Int, _ json: inout JSONWriter) {
    guard let sums = selection.log.waitSums(of: index) else { return }
    json.attribute("reactive.task.waits", UInt64(sums.count))
    json.attribute("reactive.task.running_ns", sums.running.count)
    json.attribute("reactive.task.waiting_ns", sums.times.reduce(0) { $0 &+ $1.time.count })
  }

  private enum SpanKind { static let `internal` = 1 }
  private enum SpanStatus { static let error = 2 }
}

extension JSONWriter {
  mutating func attribute(_ key: String, _ text: String) {
    object {
      $0.string("key", key)
      $0.object("value") { $0.string("stringValue", text) }
    }
  }

  /// Writes an integer attribute. The JSON mapping of Protocol Buffers writes 64-bit integers as
  /// strings. A number that does not fit becomes the largest one that does.
  mutating func attribute(_ key: String, _ number: UInt64) {
    object {
      $0.string("key", key)
      $0.object("value") { $0.string("intValue", String(Int64(clamping: number))) }
    }
  }
}

extension SubscriptionID {
  /// The id of the subscription's span: eight bytes in hexadecimal digits.
  var hexadecimal: String { number.hexadecimalText }
}

/// The parent of each span: the span of the subscription's parent, or of the nearest exported
/// ancestor.
///
/// Spans must form a tree, but a damaged log may contain a cycle of subscriptions that were made
/// for each other. In that case, one of them has no parent.
private struct SpanParents {
  private var parents: [Int32]

  private enum Mark: UInt8 {
    case unseen, onPath, done
  }

  subscript(index: Int) -> Int? {
    parents[index] < 0 ? nil : Int(parents[index])
  }

  init(_ selection: ExportSelection) {
    let log = selection.log
    parents = log.lifecycles.map { log.parent(of: $0).map { Int32(clamping: $0) } ?? -1 }
    var marks = [Mark](repeating: .unseen, count: parents.count)
    for start in parents.indices where marks[start] == .unseen {
      // Walks up to a node that is done, or to the top.
      var path: [Int] = []
      var current = start
      while true {
        marks[current] = .onPath
        path.append(current)
        guard let parent = self[current], marks[parent] != .done else { break }
        if marks[parent] == .onPath {
          parents[current] = -1
          break
        }
        current = parent
      }
      // Walks back down, so that the parent of each node is done before the node.
      for index in path.reversed() {
        if let parent = self[index], !selection.contains(parent) {
          parents[index] = parents[parent]
        }
        marks[index] = .done
      }
    }
  }
}

/// The locations of the first elements of each subscription, and the error of each failed one. The
/// exporter reads them again one by one when it writes the span, because all of their strings
/// together may be as long as the log.
private struct SpanEvents: ExportVisitor {
  /// The maximum number of events of a span, which is also the default limit of OpenTelemetry's own
  /// libraries.
  static let maxCount = 128

  private let selection: ExportSelection
  private var locations: [[TraceRecord.Location]]
  private var dropped: [UInt32]
  private var errors: [Int: TraceRecord.Location] = [:]
  private let rereading = Rereading()

  init(_ selection: ExportSelection) {
    self.selection = selection
    locations = Array(repeating: [], count: selection.log.lifecycles.count)
    dropped = Array(repeating: 0, count: selection.log.lifecycles.count)
  }

  mutating func take(_ record: ExportRecord) {
    guard let index = record.index else { return }
    switch record.body {
    case .next where record.isInWindow:
      if locations[index].count < Self.maxCount {
        locations[index].append(record.location)
      } else if dropped[index] < .max {
        dropped[index] += 1
      }
    case .failed where record.time == selection.log.lifecycles[index].end:
      errors[index] = errors[index] ?? record.location
    default: break
    }
  }

  func error(of index: Int) -> String? {
    guard let location = errors[index] else { return nil }
    var text: String?
    read(location) { record in
      if case .failed(let moment) = record.body { text = moment.text?.string }
    }
    return text
  }

  /// Writes the elements of a subscription and the findings about it, which follow them.
  func write(
    _ index: Int, _ findings: [ExportedFinding], _ clock: UnixClock, to json: inout JSONWriter
  ) {
    guard !locations[index].isEmpty || !findings.isEmpty else { return }
    let log = selection.log.logs[Int(selection.log.lifecycles[index].log)]
    json.array("events") { json in
      for location in locations[index] {
        read(location) { record in
          guard case .next(let moment) = record.body else { return }
          let time = clock.text(record.time.after(log.offset))
          json.object {
            $0.string("timeUnixNano", time)
            $0.string("name", LogFormat.Event.next.rawValue)
            $0.array("attributes") { write(moment, log, to: &$0) }
          }
        }
      }
      let time = clock.text(selection.timeOfFinding(index))
      for finding in findings {
        json.object {
          $0.string("timeUnixNano", time)
          $0.string("name", finding.head.name)
          $0.array("attributes") {
            $0.attribute("trace_viewer.finding.id", finding.head.id)
            $0.attribute("trace_viewer.finding.text", finding.text)
          }
        }
      }
    }
    if dropped[index] > 0 { json.integer("droppedEventsCount", dropped[index]) }
  }

  private func write(_ moment: TraceRecord.Moment, _ log: TraceLog, to json: inout JSONWriter) {
    if let text = moment.text { json.attribute("reactive.value", text.string) }
    if let bytes = moment.truncated { json.attribute("reactive.value.bytes", bytes) }
    if let thread = moment.thread {
      json.attribute("thread.id", thread)
      if let name = log.threads[thread] { json.attribute("thread.name", name) }
    }
  }

  private func read(_ location: TraceRecord.Location, _ body: (TraceRecord) -> Void) {
    rereading.read(location, in: selection.log.files[location.file], body)
  }
}

/// A reader that reads records again one by one with a single parser.
private final class Rereading {
  private var parser = RecordParser()

  /// Reads a record and passes it to `body`. Does nothing if the record no longer exists because
  /// the file has become shorter.
  func read(_ location: TraceRecord.Location, in file: LogSource, _ body: (TraceRecord) -> Void) {
    file.bytes(at: location).withUnsafeBufferPointer {
      if let record = try? parser.parse($0) { body(record) }
    }
  }
}

/// A clock that converts times on the axis of the logs to nanoseconds since 1970. Times start at
/// 1970 if no log contains its start time.
private struct UnixClock {
  private let start: UInt64

  init(_ log: LogAnalysis) {
    let starts = log.logs.compactMap { $0.header?.started.flatMap { RFC3339.nanoseconds(of: $0) } }
    start = UInt64(max(0, starts.min() ?? 0))
  }

  func text(_ time: Nanoseconds) -> String {
    String(time.after(start).count)
  }
}

/// The id of a trace for OpenTelemetry: sixteen bytes in hexadecimal digits, not all of them zero.
enum TraceNumber {
  /// Returns the trace id of the log if it is a valid one. Otherwise, returns an id that is the
  /// same for every export of the same logs.
  static func text(of log: TraceLog, _ number: Int) -> String {
    if let trace = log.header?.trace, isValid(trace) { return trace.lowercased() }
    let name = "\(number):\(log.header?.trace ?? ""):\(log.title)".utf8
    var high = FNV1a()
    var low = FNV1a(seed: 0x9E37_79B9_7F4A_7C15)
    high.add(name)
    low.add(name)
    // An id of all zeros is not valid.
    return high.value.hexadecimalText + (low.value | 1).hexadecimalText
  }

  private static func isValid(_ text: String) -> Bool {
    text.utf8.count == 32 && text.utf8.allSatisfy { RawText.hexDigit($0) != nil }
      && text.utf8.contains { $0 != UInt8(ascii: "0") }
  }
}
