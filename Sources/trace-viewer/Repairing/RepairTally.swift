/// What a repair changed, kind by kind.
struct RepairTally: Equatable {
  enum Kind: Int, CaseIterable {
    // Lines that are left out, and may have been records.
    case malformed, incomplete, tooLong, torn
    // Lines that are left out, and were none.
    case blank, repeated, secondBeginning, secondEnd
    // Bytes that are left out or replaced.
    case byteOrderMark, nul, carriageReturn, space, invalidText, unended
    // Records that stand elsewhere, or are new.
    case movedEnd, header, beginning, lost

    /// Whether a record may have gone with the line.
    var mayBeRecord: Bool {
      switch self {
      case .malformed, .incomplete, .tooLong, .torn: true
      default: false
      }
    }
  }

  struct Entry: Equatable {
    var count: Int
    let firstLine: Int
  }

  private(set) var entries: [Kind: Entry] = [:]

  var isEmpty: Bool { entries.isEmpty }

  mutating func note(_ kind: Kind, line: Int) {
    entries[kind, default: Entry(count: 0, firstLine: line)].count += 1
  }

  func count(_ kind: Kind) -> Int {
    entries[kind]?.count ?? 0
  }
}
