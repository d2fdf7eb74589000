import TraceAnalysis

/// The changes of a repair, counted by kind.
package struct RepairTally: Equatable {
  enum Kind: Int, CaseIterable {
    // Lines that are left out and may have been records.
    case malformed, incomplete, tooLong, torn
    // Data that could not be unpacked.
    case packingCut, packingDamaged, packingTrailed
    // Records that are left out.
    case repeated, beforeGap, secondBeginning, secondEnd
    // Records that are moved or added.
    case movedEnd, header, beginning, lost
    // Bytes that are left out or replaced although they are not damage.
    case blank, byteOrderMark, nul, carriageReturn, space, invalidText, unended

    /// A Boolean value that indicates whether the line may have contained a record.
    var mayBeRecord: Bool {
      switch self {
      case .malformed, .incomplete, .tooLong, .torn: true
      default: false
      }
    }

    /// A Boolean value that indicates whether readers of logs ignore the bytes, so that only other
    /// readers of JSON Lines may reject them.
    var isTidying: Bool {
      switch self {
      case .blank, .byteOrderMark, .nul, .carriageReturn, .space, .invalidText, .unended: true
      default: false
      }
    }

    init?(_ damage: Damage.Kind) {
      switch damage {
      case .packingCut: self = .packingCut
      case .packingDamaged: self = .packingDamaged
      case .packingTrailed: self = .packingTrailed
      default: return nil
      }
    }
  }

  struct Entry: Equatable {
    var count: Int
    let firstLine: Int
  }

  private(set) var entries: [Kind: Entry] = [:]

  package init() {}

  mutating func note(_ kind: Kind, line: Int) {
    entries[kind, default: Entry(count: 0, firstLine: line)].count += 1
  }

  func count(_ kind: Kind) -> Int {
    entries[kind]?.count ?? 0
  }
}
