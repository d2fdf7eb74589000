import TraceFormat

/// The content of one part of a file, split into logs: each header begins another log.
///
/// Records before the first header belong to the log of the previous part.
struct LogAccumulator: MergingVisitor {
  private var finished: [SegmentAccumulator] = []
  private var current = SegmentAccumulator()
  /// The damage in lines before a header, kept until there is a log to report it with.
  private var carried = Damage()

  init() {}

  /// The logs in the order of their beginnings.
  var all: [SegmentAccumulator] {
    current.isEmpty ? finished : finished + [current]
  }

  var preparesEvents: Bool {
    @inline(__always) get { current.preparesEvents }
  }

  var prefersSmallParts: Bool {
    finished.reduce(current.lifecycles.count) { $0 + $1.lifecycles.count }
      > SegmentAccumulator.maxCached
  }

  @inline(__always)
  func prepare(for id: SubscriptionID, isEnd: Bool) { current.prepare(for: id, isEnd: isEnd) }

  @inline(__always)
  mutating func visitElement(
    _ moment: TraceRecord.Moment, at time: Nanoseconds, _ location: TraceRecord.Location
  ) {
    current.visitElement(moment, at: time, location)
  }

  mutating func visitBeginning(
    _ beginning: TraceRecord.Subscribe, at time: Nanoseconds, _ location: TraceRecord.Location
  ) {
    current.visitBeginning(beginning, at: time, location)
  }

  mutating func visitEnd(
    _ kind: LogFormat.Event, _ moment: TraceRecord.Moment, at time: Nanoseconds,
    _ location: TraceRecord.Location
  ) {
    current.visitEnd(kind, moment, at: time, location)
  }

  mutating func visit(_ record: TraceRecord, at location: TraceRecord.Location) {
    if case .trace = record.body {
      close()
      takeCarried()
    }
    current.visit(record, at: location)
  }

  mutating func skip(_ kind: Damage.Kind, line: Int) {
    current.skip(kind, line: line)
  }

  mutating func append(_ next: consuming LogAccumulator, lines: Int) {
    let parts = next.all
    guard let first = parts.first else { return }
    var rest = parts[...]
    if lines == 0 {
      close()
      carried = Damage()
    } else if first.header == nil {
      current.append(first, lines: lines)
      rest = parts.dropFirst()
    }
    for part in rest {
      close()
      if lines == 0 {
        current = part
      } else {
        current.append(part, lines: lines)
        current.header = part.header
      }
      takeCarried()
    }
  }

  mutating func finish() {
    for index in finished.indices { finished[index].finish() }
    current.finish()
  }

  /// Notes that a file ends in the middle of a line.
  mutating func tear(file: Int, line: Int) {
    if current.firstLocation?.file == file { return current.skip(.torn, line: line) }
    if let index = finished.lastIndex(where: { $0.firstLocation?.file == file }) {
      finished[index].skip(.torn, line: line)
    }
  }

  private mutating func close() {
    // Lines before a header that are not records are reported with the log that follows.
    if current.records == 0 {
      carried = current.damage
    } else {
      finished.append(current)
    }
    current = SegmentAccumulator()
  }

  private mutating func takeCarried() {
    current.take(carried)
    carried = Damage()
  }
}
