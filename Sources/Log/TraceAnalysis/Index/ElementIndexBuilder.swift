import TraceFormat

/// A builder that notes the times of each subscription's records while a log is read.
struct ElementIndexBuilder: Sendable {
  /// The pieces for elements; `others` has those for all other events of subscriptions. Marks and
  /// scopes have the id 0, which no subscription has.
  private(set) var elements: [TimePiece] = []
  private(set) var others: [TimePiece] = []
  private var elementNotes = TimeNotes()
  private var otherNotes = TimeNotes()
  /// A Boolean value that indicates whether a header came after the last piece.
  private var elementsBeginLog = false
  private var othersBeginLog = false

  @inline(__always)
  mutating func noteElement(
    _ id: SubscriptionID, _ time: Nanoseconds, _ location: TraceRecord.Location
  ) {
    elementNotes.note(id.number, time, location)
    if elementNotes.isFull { finish() }
  }

  mutating func note(_ record: TraceRecord, _ location: TraceRecord.Location) {
    switch record.body {
    case .trace:
      finish()
      elementsBeginLog = true
      othersBeginLog = true
    case .next(let moment):
      noteElement(moment.id, record.time, location)
    case .completed(let moment), .failed(let moment), .disposed(let moment), .released(let moment),
      .breakpoint(let moment):
      otherNotes.note(moment.id.number, record.time, location)
    case .subscribe(let subscribe), .alive(let subscribe):
      otherNotes.note(subscribe.id.number, record.time, location)
    case .suspended(let suspended):
      otherNotes.note(suspended.id.number, record.time, location)
    case .resumed(let id, _):
      otherNotes.note(id.number, record.time, location)
    case .mark, .scopeBegin, .scopeEnd:
      otherNotes.note(0, record.time, location)
    case .thread, .place, .retained, .changed, .task, .object, .instances, .process, .stack, .hang,
      .lost, .end, .continued, .unknown:
      break
    }
  }

  /// Sorts the notes into pieces.
  @inline(never)
  mutating func finish() {
    if let piece = elementNotes.takePiece(beginsLog: elementsBeginLog) {
      elements.append(piece)
      elementsBeginLog = false
    }
    if let piece = otherNotes.takePiece(beginsLog: othersBeginLog) {
      others.append(piece)
      othersBeginLog = false
    }
  }

  /// Sorts the notes of lines that were read late, and joins pieces if there are many.
  mutating func settle() {
    finish()
    TimePiece.tidy(&elements)
    TimePiece.tidy(&others)
  }

  /// Adds the pieces of the following part. Both builders must be finished.
  mutating func append(_ next: ElementIndexBuilder) {
    for piece in next.elements {
      elements.append(elementsBeginLog ? piece.beginningLog : piece)
      elementsBeginLog = false
      TimePiece.tidy(&elements)
    }
    for piece in next.others {
      others.append(othersBeginLog ? piece.beginningLog : piece)
      othersBeginLog = false
      TimePiece.tidy(&others)
    }
    elementsBeginLog = elementsBeginLog || next.elementsBeginLog
    othersBeginLog = othersBeginLog || next.othersBeginLog
  }
}
