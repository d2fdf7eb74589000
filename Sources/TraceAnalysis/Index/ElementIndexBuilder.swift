import TraceFormat

/// Notes when the records of each subscription come, while a log is read.
struct ElementIndexBuilder: Sendable {
  /// Of elements, and of everything else that happens to subscriptions; marks and scopes are at 0, which no subscription has.
  private(set) var elements: [ElementPiece] = []
  private(set) var others: [ElementPiece] = []
  private var elementNotes = ElementNotes()
  private var otherNotes = ElementNotes()
  /// Whether a header came, and no piece since.
  private var elementsBeginLog = false
  private var othersBeginLog = false

  @inline(__always)
  mutating func noteElement(
    _ id: SubscriptionID, _ time: Nanoseconds, _ place: TraceRecord.Place
  ) {
    elementNotes.note(id.number, time, place)
    if elementNotes.isFull { finish() }
  }

  mutating func note(_ record: TraceRecord, _ place: TraceRecord.Place) {
    switch record.body {
    case .trace:
      finish()
      elementsBeginLog = true
      othersBeginLog = true
    case .next(let moment):
      noteElement(moment.id, record.time, place)
    case .completed(let moment), .failed(let moment), .disposed(let moment), .released(let moment),
      .breakpoint(let moment):
      otherNotes.note(moment.id.number, record.time, place)
    case .subscribe(let subscribe), .alive(let subscribe):
      otherNotes.note(subscribe.id.number, record.time, place)
    case .mark, .scopeBegin, .scopeEnd:
      otherNotes.note(0, record.time, place)
    case .thread, .place, .lost, .end, .continued, .unknown:
      break
    }
  }

  /// Sorts what was noted.
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

  /// Sorts what was noted of lines that were read late, and joins pieces where there are many.
  mutating func settle() {
    finish()
    ElementPiece.tidy(&elements)
    ElementPiece.tidy(&others)
  }

  /// Adds what was noted of a stretch behind; both have been finished.
  mutating func append(_ next: ElementIndexBuilder) {
    for piece in next.elements {
      elements.append(elementsBeginLog ? piece.beginningLog : piece)
      elementsBeginLog = false
      ElementPiece.tidy(&elements)
    }
    for piece in next.others {
      others.append(othersBeginLog ? piece.beginningLog : piece)
      othersBeginLog = false
      ElementPiece.tidy(&others)
    }
    elementsBeginLog = elementsBeginLog || next.elementsBeginLog
    othersBeginLog = othersBeginLog || next.othersBeginLog
  }
}
