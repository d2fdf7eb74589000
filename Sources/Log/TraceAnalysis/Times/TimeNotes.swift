import TraceFormat

/// The times of subscriptions in the order in which they are read, until they are sorted into a
/// piece.
struct TimeNotes: Sendable {
  private struct Note {
    let id: UInt64
    let time: UInt64
  }

  private var notes: [Note] = []
  private var file = 0
  private var offset = 0

  @inline(__always)
  mutating func note(_ id: UInt64, _ time: Nanoseconds, _ location: TraceRecord.Location) {
    if notes.isEmpty {
      file = location.file
      offset = location.offset
    }
    notes.append(Note(id: id, time: time.count))
  }

  /// A Boolean value that indicates whether the notes take so much memory that they should be
  /// sorted. A sorted piece takes a quarter of the memory.
  var isFull: Bool {
    @inline(__always) get { notes.count >= 1 << 18 }
  }

  /// Removes all notes and returns them as a piece; returns nil if there are none.
  mutating func takePiece(beginsLog: Bool) -> TimePiece? {
    guard let first = notes.first else { return nil }
    var (lowest, highest) = (first.id, first.id)
    var (earliest, latest) = (first.time, first.time)
    for note in notes {
      lowest = min(lowest, note.id)
      highest = max(highest, note.id)
      earliest = min(earliest, note.time)
      latest = max(latest, note.time)
    }
    // The cost of a table of all ids must be in proportion to the number of notes.
    let isDense = highest - lowest < UInt64(notes.count * 4 + 1024)
    if isDense { sortByCounting(lowest, Int(highest - lowest) + 1) } else { sortByComparing() }
    let order = notes
    notes = []
    var rows = 1
    for index in order.indices.dropFirst() where order[index].id != order[index - 1].id {
      rows += 1
    }
    var starts: [UInt32] = []
    starts.reserveCapacity(rows + 1)
    let ids = OffsetColumn(base: lowest, highest: highest, count: rows) { append in
      for index in order.indices where index == 0 || order[index].id != order[index - 1].id {
        append(order[index].id)
        starts.append(UInt32(clamping: index))
      }
    }
    starts.append(UInt32(clamping: order.count))
    let times = OffsetColumn(base: earliest, highest: latest, count: order.count) { append in
      for note in order { append(note.time) }
    }
    return TimePiece(
      file: file, offset: offset, beginsLog: beginsLog, ids: ids, starts: starts, latest: latest,
      times: times)
  }

  private mutating func sortByCounting(_ lowest: UInt64, _ range: Int) {
    var next = [UInt32](repeating: 0, count: range)
    for note in notes { next[Int(note.id - lowest)] += 1 }
    var start: UInt32 = 0
    for slot in next.indices {
      let count = next[slot]
      next[slot] = start
      start += count
    }
    notes = [Note](unsafeUninitializedCapacity: notes.count) { sorted, count in
      for note in notes {
        let slot = Int(note.id - lowest)
        sorted.initializeElement(at: Int(next[slot]), to: note)
        next[slot] += 1
      }
      count = notes.count
    }
  }

  private mutating func sortByComparing() {
    notes.sort { ($0.id, $0.time) < ($1.id, $1.time) }
  }
}
