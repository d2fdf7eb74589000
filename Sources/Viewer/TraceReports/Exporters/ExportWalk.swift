import TraceAnalysis
import TraceFormat

/// An exported record, with facts from the analysis.
struct ExportRecord {
  let body: TraceRecord.Body
  /// The time on the common axis of all logs.
  let time: Nanoseconds
  let location: TraceRecord.Location
  let log: Int
  /// The index of its subscription in the lifecycles, if it belongs to one.
  let index: Int?
  /// A Boolean value that indicates whether the record is in the exported time range.
  let isInWindow: Bool
}

/// A visitor that takes the records of logs, file by file and in file order.
protocol ExportVisitor {
  mutating func take(_ record: ExportRecord)
}

extension ExportSelection {
  /// Reads the files once more, one after the other. The visitor writes its output for each record
  /// immediately, so memory use does not grow with the number of elements.
  func walk(_ visitor: inout some ExportVisitor) throws(LogError) {
    var walk = ExportWalk(selection: self, visitor: visitor)
    var reader = LogReader()
    for (index, file) in log.files.enumerated() {
      _ = try reader.read(file, index: index, visitor: &walk)
    }
    visitor = walk.visitor
    // Data that the file has lost since it was read would otherwise be missing without a message.
    if let change = ReadContent(log).change { throw change }
    if walk.records < log.records, let file = log.files.first { throw .changed(file.name) }
  }
}

/// A visitor that finds the log and the subscription of each record and drops unselected records.
private struct ExportWalk<Visitor: ExportVisitor>: RecordVisitor {
  let selection: ExportSelection
  var visitor: Visitor
  private(set) var records = 0
  private var section = SectionCursor()

  init(selection: ExportSelection, visitor: Visitor) {
    self.selection = selection
    self.visitor = visitor
  }

  mutating func visit(_ record: TraceRecord, at location: TraceRecord.Location) {
    let analysis = selection.log
    guard let log = section.log(of: location, in: analysis) else { return }
    records += 1
    var index: Int?
    if let id = record.body.subscription {
      guard let found = analysis.index(of: id, log: log), selection.contains(found) else { return }
      index = found
    }
    let time = record.time.after(analysis.logs[log].offset)
    visitor.take(
      ExportRecord(
        body: record.body, time: time, location: location, log: log, index: index,
        isInWindow: selection.times.contains(time)))
  }
}

extension TraceRecord.Body {
  /// The subscription that a record is about.
  fileprivate var subscription: SubscriptionID? {
    switch self {
    case .subscribe(let it), .alive(let it): it.id
    case .next(let it), .completed(let it), .failed(let it), .disposed(let it), .released(let it),
      .breakpoint(let it):
      it.id
    case .retained(let it): it.id
    case .changed(let it): it.id
    case .task(let it): it.beginning.id
    case .object(let it): it.beginning.id
    case .suspended(let it): it.id
    case .resumed(let id, _): id
    default: nil
    }
  }
}
