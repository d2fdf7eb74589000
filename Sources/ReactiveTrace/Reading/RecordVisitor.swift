/// Takes the records of a log one after the other.
package protocol RecordVisitor {
  /// The texts of `record` are valid until this returns.
  mutating func visit(_ record: TraceRecord, at place: TraceRecord.Place)
}
