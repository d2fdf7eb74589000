import TraceFormat

/// The content of one part of a file, with an index of the locations of its records.
struct IndexedAccumulator: MergingVisitor {
  private(set) var parts = LogAccumulator()
  private(set) var elements = ElementIndexBuilder()
  private(set) var chunks = ChunkIndexBuilder()

  var preparesEvents: Bool {
    @inline(__always) get { parts.preparesEvents }
  }

  @inline(__always)
  func prepare(for id: SubscriptionID, isEnd: Bool) { parts.prepare(for: id, isEnd: isEnd) }

  @inline(__always)
  mutating func visitElement(
    _ moment: TraceRecord.Moment, at time: Nanoseconds, _ location: TraceRecord.Location
  ) {
    parts.visitElement(moment, at: time, location)
    elements.noteElement(moment.id, time, location)
    chunks.note(time, location)
  }

  mutating func visit(_ record: TraceRecord, at location: TraceRecord.Location) {
    parts.visit(record, at: location)
    elements.note(record, location)
    if case .trace = record.body {
      chunks.note(record.time, location, beginsLog: true)
    } else {
      chunks.note(record.time, location)
    }
  }

  mutating func skip(_ kind: Damage.Kind, line: Int) {
    parts.skip(kind, line: line)
  }

  mutating func append(_ next: consuming IndexedAccumulator, lines: Int) {
    elements.append(next.elements)
    chunks.append(next.chunks, lines: lines)
    parts.append(next.parts, lines: lines)
  }

  mutating func finish() {
    parts.finish()
    elements.finish()
  }

  /// Removes and returns the content without the index.
  mutating func takeParts() -> LogAccumulator {
    var taken = LogAccumulator()
    swap(&taken, &parts)
    return taken
  }

  /// Sorts the records that were read late into the index.
  mutating func settle() {
    parts.finish()
    elements.settle()
  }

  /// Adds `lines`, which is usually negative, to the line numbers of the chunks after `offset` in a
  /// file.
  mutating func moveLines(of file: Int, after offset: Int, by lines: Int) {
    chunks.moveLines(of: file, after: offset, by: lines)
  }
}
