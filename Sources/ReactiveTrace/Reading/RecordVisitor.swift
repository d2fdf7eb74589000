/// Takes the records of a log one after the other.
package protocol RecordVisitor {
  /// The texts of `record` are valid until this returns.
  mutating func visit(_ record: TraceRecord, at place: TraceRecord.Place)

  /// The same for an element, which most records are.
  mutating func visitElement(
    _ moment: TraceRecord.Moment, at time: Nanoseconds, _ place: TraceRecord.Place)
}

extension RecordVisitor {
  package mutating func visitElement(
    _ moment: TraceRecord.Moment, at time: Nanoseconds, _ place: TraceRecord.Place
  ) {
    visit(TraceRecord(time: time, body: .next(moment)), at: place)
  }
}
