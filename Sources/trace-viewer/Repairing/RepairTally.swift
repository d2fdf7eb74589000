import TerminalUI
import TraceAnalysis

/// What a repair changed, kind by kind.
struct RepairTally: Equatable {
  enum Kind: Int, CaseIterable {
    // Lines that are left out, and may have been records.
    case malformed, incomplete, tooLong, torn
    // What could not be unpacked.
    case packingCut, packingDamaged, packingTrailed
    // Records that are left out.
    case repeated, beforeGap, secondBeginning, secondEnd
    // Records that stand elsewhere, or are new.
    case movedEnd, header, beginning, lost
    // Bytes that are left out or replaced, and are no damage.
    case blank, byteOrderMark, nul, carriageReturn, space, invalidText, unended

    /// Whether a record may have gone with the line.
    var mayBeRecord: Bool {
      switch self {
      case .malformed, .incomplete, .tooLong, .torn: true
      default: false
      }
    }

    /// Whether readers of logs pass over it, and only other readers of JSON Lines may not.
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

  /// Whether nothing was repaired; bytes that are no damage may have been left out.
  var hasNoRepair: Bool { entries.keys.allSatisfy(\.isTidying) }

  mutating func note(_ kind: Kind, line: Int) {
    entries[kind, default: Entry(count: 0, firstLine: line)].count += 1
  }

  func count(_ kind: Kind) -> Int {
    entries[kind]?.count ?? 0
  }
}
