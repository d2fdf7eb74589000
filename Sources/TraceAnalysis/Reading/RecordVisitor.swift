package import TraceFormat

/// A visitor that takes the records of a log one after the other.
package protocol RecordVisitor {
  /// Visits a record, whose texts are valid until this function returns.
  mutating func visit(_ record: TraceRecord, at location: TraceRecord.Location)

  /// Visits an element, which is the most common record. Its texts are valid until this function
  /// returns.
  mutating func visitElement(
    _ moment: TraceRecord.Moment, at time: Nanoseconds, _ location: TraceRecord.Location)

  /// Notes a line that is not a record.
  mutating func skip(_ kind: Damage.Kind, line: Int)
}

extension RecordVisitor {
  package mutating func skip(_ kind: Damage.Kind, line: Int) {}

  package mutating func visitElement(
    _ moment: TraceRecord.Moment, at time: Nanoseconds, _ location: TraceRecord.Location
  ) {
    visit(TraceRecord(time: time, body: .next(moment)), at: location)
  }
}
