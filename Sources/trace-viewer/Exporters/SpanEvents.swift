import TraceAnalysis
import TraceFormat

/// Where the first elements of each subscription stand, and the error of one that failed. They are read again one by one when
/// their span is written, because all texts together may be as long as the log.
struct SpanEvents: ExportVisitor {
  /// What OpenTelemetry's own libraries keep of a span.
  static let most = 128

  private let selection: ExportSelection
  private var places: [[TraceRecord.Place]]
  private var dropped: [UInt32]
  private var errors: [Int: TraceRecord.Place] = [:]
  private let rereading = Rereading()

  init(_ selection: ExportSelection) {
    self.selection = selection
    places = Array(repeating: [], count: selection.log.lifecycles.count)
    dropped = Array(repeating: 0, count: selection.log.lifecycles.count)
  }

  mutating func take(_ record: ExportRecord) {
    guard let index = record.index else { return }
    switch record.body {
    case .next where record.isInWindow:
      if places[index].count < Self.most {
        places[index].append(record.place)
      } else if dropped[index] < .max {
        dropped[index] += 1
      }
    case .failed where record.time == selection.log.lifecycles[index].end:
      errors[index] = errors[index] ?? record.place
    default: break
    }
  }

  func error(of index: Int) -> String? {
    guard let place = errors[index] else { return nil }
    var text: String?
    read(place) { record in
      if case .failed(let moment) = record.body { text = moment.text?.string }
    }
    return text
  }

  func write(_ index: Int, _ clock: UnixClock, to json: inout JSONWriter) {
    guard !places[index].isEmpty else { return }
    let log = selection.log.logs[Int(selection.log.lifecycles[index].log)]
    json.array("events") { json in
      for place in places[index] {
        read(place) { record in
          guard case .next(let moment) = record.body else { return }
          let time = clock.text(record.time.after(log.offset))
          json.object {
            $0.string("timeUnixNano", time)
            $0.string("name", LogFormat.Event.next.rawValue)
            $0.array("attributes") { write(moment, log, to: &$0) }
          }
        }
      }
    }
    if dropped[index] > 0 { json.integer("droppedEventsCount", dropped[index]) }
  }

  private func write(
    _ moment: TraceRecord.Moment, _ log: TraceLog, to json: inout JSONWriter
  ) {
    if let text = moment.text { json.attribute("reactive.value", text.string) }
    if let bytes = moment.truncated { json.attribute("reactive.value.bytes", bytes) }
    if let thread = moment.thread {
      json.attribute("thread.id", thread)
      if let name = log.threads[thread] { json.attribute("thread.name", name) }
    }
  }

  private func read(_ place: TraceRecord.Place, _ body: (TraceRecord) -> Void) {
    rereading.read(place, in: selection.log.files[place.file], body)
  }
}

/// Reads records again one by one, with one parser for all of them.
private final class Rereading {
  private var parser = RecordParser()

  /// Nothing where the file has become shorter since.
  func read(_ place: TraceRecord.Place, in file: LogSource, _ body: (TraceRecord) -> Void) {
    file.bytes(at: place).withUnsafeBufferPointer {
      if let record = try? parser.parse($0) { body(record) }
    }
  }
}
