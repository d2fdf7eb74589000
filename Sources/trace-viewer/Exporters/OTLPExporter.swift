import TerminalUI
import TraceAnalysis
import TraceFormat

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
      $0.array("attributes") { writeAttributes(lifecycle, &$0) }
      events.write(index, clock, to: &$0)
      if let cause = lifecycle.cause, cause != lifecycle.id {
        $0.array("links") {
          $0.object {
            $0.string("traceId", trace)
            $0.string("spanId", cause.hexadecimal)
            $0.array("attributes") { $0.attribute("reactive.link", "cause") }
          }
        }
      }
      if lifecycle.state == .failed {
        $0.object("status") {
          if let error = events.error(of: index) { $0.string("message", error) }
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
