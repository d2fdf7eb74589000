package import TraceFormat

/// Takes the records of a log one after the other.
package protocol RecordVisitor {
  /// The texts of `record` are valid until this returns.
  mutating func visit(_ record: TraceRecord, at place: TraceRecord.Place)

  /// The same for an element, which most records are.
  mutating func visitElement(
    _ moment: TraceRecord.Moment, at time: Nanoseconds, _ place: TraceRecord.Place)

  /// A line that is no record.
  mutating func skip(_ kind: Damage.Kind, line: Int)
}

extension RecordVisitor {
  package mutating func skip(_ kind: Damage.Kind, line: Int) {}

  package mutating func visitElement(
    _ moment: TraceRecord.Moment, at time: Nanoseconds, _ place: TraceRecord.Place
  ) {
    visit(TraceRecord(time: time, body: .next(moment)), at: place)
  }
}
