import TraceAnalysis
import TraceFormat

/// The locations of the first elements of each subscription, and the error of each failed one. The
/// exporter reads them again one by one when it writes the span, because all texts together may be
/// as long as the log.
struct SpanEvents: ExportVisitor {
  /// The maximum number of events of a span, which is also the default limit of OpenTelemetry's own
  /// libraries.
  static let most = 128

  private let selection: ExportSelection
  private var places: [[TraceRecord.Location]]
  private var dropped: [UInt32]
  private var errors: [Int: TraceRecord.Location] = [:]
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
        places[index].append(record.location)
      } else if dropped[index] < .max {
        dropped[index] += 1
      }
    case .failed where record.time == selection.log.lifecycles[index].end:
      errors[index] = errors[index] ?? record.location
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

  private func read(_ place: TraceRecord.Location, _ body: (TraceRecord) -> Void) {
    rereading.read(place, in: selection.log.files[place.file], body)
  }
}

/// A reader that reads records again one by one with a single parser.
private final class Rereading {
  private var parser = RecordParser()

  /// Reads a record and passes it to `body`. Does nothing if the record is gone because the file
  /// has become shorter.
  func read(_ place: TraceRecord.Location, in file: LogSource, _ body: (TraceRecord) -> Void) {
    file.bytes(at: place).withUnsafeBufferPointer {
      if let record = try? parser.parse($0) { body(record) }
    }
  }
}
