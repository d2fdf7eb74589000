import TraceFormat

/// The times at which the tasks of a log began to wait and could run again, by the number of the
/// subscription.
struct WaitTimes: Sendable {
  private(set) var pieces: [TimePiece] = []
  private var notes = TimeNotes()

  mutating func note(
    _ change: WaitChange, of id: SubscriptionID, _ location: TraceRecord.Location
  ) {
    notes.note(id.number, Nanoseconds(change.number), location)
    if notes.isFull { finish() }
  }

  /// Sorts the notes into a piece.
  mutating func finish() {
    guard let piece = notes.takePiece(beginsLog: false) else { return }
    pieces.append(piece)
    TimePiece.tidy(&pieces)
  }

  /// Adds the times of the following part.
  mutating func append(_ next: WaitTimes) {
    finish()
    for piece in next.finished.pieces {
      pieces.append(piece)
      TimePiece.tidy(&pieces)
    }
  }

  /// The list with all notes sorted.
  var finished: WaitTimes {
    var finished = self
    finished.finish()
    return finished
  }

  /// A Boolean value that indicates whether a finished list has no times.
  var isEmpty: Bool { pieces.isEmpty }

  /// Returns the changes of a task. The list must be finished.
  func changes(of id: UInt64) -> WaitChanges { WaitChanges(of: id, in: pieces) }
}
