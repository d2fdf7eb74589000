package import TraceFormat

/// A visitor that takes the records of a log one after the other.
package protocol RecordVisitor {
  /// Visits a record, whose strings are valid until this function returns.
  mutating func visit(_ record: TraceRecord, at location: TraceRecord.Location)

  /// Visits an element, which is the most common record. Its strings are valid until this function
  /// returns.
  mutating func visitElement(
    _ moment: TraceRecord.Moment, at time: Nanoseconds, _ location: TraceRecord.Location)

  /// Visits the usual form of a `subscribe` record, whose strings are valid until this function
  /// returns. By default, it is visited like any other record.
  mutating func visitBeginning(
    _ beginning: TraceRecord.Subscribe, at time: Nanoseconds, _ location: TraceRecord.Location)

  /// Visits the usual form of a `completed`, `disposed` or `released` record, whose strings are
  /// valid until this function returns. By default, it is visited like any other record.
  mutating func visitEnd(
    _ kind: LogFormat.Event, _ moment: TraceRecord.Moment, at time: Nanoseconds,
    _ location: TraceRecord.Location)

  /// A Boolean value that indicates whether `prepare(for:isEnd:)` is called before events are
  /// visited. The default is false.
  var preparesEvents: Bool { get }

  /// Prepares for an element or the end of a subscription that will be visited soon.
  func prepare(for id: SubscriptionID, isEnd: Bool)

  /// Notes a line that is not a record.
  mutating func skip(_ kind: Damage.Kind, line: Int)
}

extension RecordVisitor {
  @inline(__always)
  package var preparesEvents: Bool { false }

  package func prepare(for id: SubscriptionID, isEnd: Bool) {}

  package mutating func skip(_ kind: Damage.Kind, line: Int) {}

  package mutating func visitElement(
    _ moment: TraceRecord.Moment, at time: Nanoseconds, _ location: TraceRecord.Location
  ) {
    visit(TraceRecord(time: time, body: .next(moment)), at: location)
  }

  package mutating func visitBeginning(
    _ beginning: TraceRecord.Subscribe, at time: Nanoseconds, _ location: TraceRecord.Location
  ) {
    visit(TraceRecord(time: time, body: .subscribe(beginning)), at: location)
  }

  package mutating func visitEnd(
    _ kind: LogFormat.Event, _ moment: TraceRecord.Moment, at time: Nanoseconds,
    _ location: TraceRecord.Location
  ) {
    visit(TraceRecord(time: time, body: .of(kind, moment)), at: location)
  }
}

/// A visitor that can visit one part of a file, and merge with the visitors of the following parts.
///
/// The result must not depend on where the file was divided.
package protocol MergingVisitor: RecordVisitor, Sendable {
  /// Adds the result of the following part.
  ///
  /// - Parameter lines: The number of lines of the file before that part; 0 if the part begins
  ///   another file.
  mutating func append(_ next: consuming Self, lines: Int)

  /// Finishes a part, on the thread that read it. Slow work belongs here: all threads share it,
  /// while only one thread merges parts.
  mutating func finish()

  /// A Boolean value that indicates whether the visitor has so much memory that the parts that are
  /// read next should be small. The default is false.
  var prefersSmallParts: Bool { get }
}

extension MergingVisitor {
  package var prefersSmallParts: Bool { false }

  package mutating func finish() {}
}

/// A visitor that looks only at elements.
protocol ElementVisitor: MergingVisitor {}

extension ElementVisitor {
  package mutating func visit(_ record: TraceRecord, at location: TraceRecord.Location) {
    if case .next(let moment) = record.body { visitElement(moment, at: record.time, location) }
  }
}
