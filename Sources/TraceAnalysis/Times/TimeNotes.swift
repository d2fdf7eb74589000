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
    var rows: (ids: [UInt64], starts: [UInt32])
    // The cost of a table of all ids must be in proportion to the number of notes.
    if highest - lowest < UInt64(notes.count * 4 + 1024) {
      rows = sortByCounting(lowest, Int(highest - lowest) + 1)
    } else {
      rows = sortByComparing()
    }
    rows.starts.append(UInt32(clamping: notes.count))
    let order = notes
    notes = []
    let isShort = latest - earliest <= UInt64(UInt32.max)
    return TimePiece(
      file: file, offset: offset, beginsLog: beginsLog, ids: rows.ids, starts: rows.starts,
      base: earliest, latest: latest,
      short: isShort
        ? Self.times(order, rows.starts) { UInt32(truncatingIfNeeded: $0 - earliest) } : [],
      long: isShort ? [] : Self.times(order, rows.starts) { $0 - earliest })
  }

  private mutating func sortByCounting(
    _ lowest: UInt64, _ range: Int
  ) -> (ids: [UInt64], starts: [UInt32]) {
    var next = [UInt32](repeating: 0, count: range)
    for note in notes { next[Int(note.id - lowest)] += 1 }
    var ids: [UInt64] = []
    var starts: [UInt32] = []
    var start: UInt32 = 0
    for slot in next.indices where next[slot] > 0 {
      ids.append(lowest + UInt64(slot))
      starts.append(start)
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
    return (ids, starts)
  }

  private mutating func sortByComparing() -> (ids: [UInt64], starts: [UInt32]) {
    notes.sort { ($0.id, $0.time) < ($1.id, $1.time) }
    var ids: [UInt64] = []
    var starts: [UInt32] = []
    for (index, note) in notes.enumerated() where note.id != ids.last {
      ids.append(note.id)
      starts.append(UInt32(clamping: index))
    }
    return (ids, starts)
  }

  private static func times<Time: FixedWidthInteger>(
    _ notes: [Note], _ starts: [UInt32], _ time: (UInt64) -> Time
  ) -> [Time] {
    let times = [Time](unsafeUninitializedCapacity: notes.count) { times, count in
      for index in notes.indices { times.initializeElement(at: index, to: time(notes[index].time)) }
      count = notes.count
    }
    return sortedInRows(times, starts)
  }

  /// Returns the times with each row in ascending order. Rows are nearly always in order already.
  static func sortedInRows<Time: FixedWidthInteger>(
    _ times: [Time], _ starts: [UInt32]
  ) -> [Time] {
    var times = times
    for row in 0..<max(0, starts.count - 1) {
      let range = Int(starts[row])..<Int(starts[row + 1])
      var isSorted = true
      for index in range.dropFirst() where times[index] < times[index - 1] { isSorted = false }
      if !isSorted { times[range].sort() }
    }
    return times
  }
}
