import TerminalUI

/// The results of a repair, with a message for each kind of damage.
struct RepairView {
  let tally: RepairTally

  /// The messages, each with the first line of its kind in the old log and a word for the action.
  /// Bytes that are not damage are only tidied.
  var sentences: [(word: String, line: Int, text: String)] {
    RepairTally.Kind.allCases.compactMap { kind in
      tally.entries[kind].map {
        (kind.isTidying ? "Tidied" : "Repaired", $0.firstLine, RepairView.sentence(kind, $0.count))
      }
    }
  }

  private static func sentence(_ kind: RepairTally.Kind, _ count: Int) -> String {
    let lines = CountText.make(count, "line")
    let records = CountText.make(count, "record")
    let leftOut = "\(lines) left out"
    return switch kind {
    case .malformed: "not a JSON object; \(leftOut)"
    case .incomplete: "a JSON object without the keys of a record; \(leftOut)"
    case .tooLong: "longer than any record can be; \(leftOut)"
    case .torn: "the last line is torn; \(leftOut)"
    case .packingCut: "the compressed file is cut short; all that came before was kept"
    case .packingDamaged: "the compressed file is damaged; all that can be unpacked was kept"
    case .packingTrailed:
      "something that is not compressed stands behind the end of the compressed file; left out"
    case .blank: "\(CountText.make(count, "blank line")) left out"
    case .repeated: "a log that was there already; \(records) left out"
    case .beforeGap: "the next file of this log is missing; \(records) left out"
    case .secondBeginning: "a subscription begins again; \(records) left out"
    case .secondEnd: "the log ends again; \(records) left out"
    case .byteOrderMark: "a byte-order mark left out"
    case .nul: "NUL bytes left out in \(lines)"
    case .carriageReturn: "CR left out at the end of \(lines)"
    case .space: "space around a record left out in \(lines)"
    case .invalidText: "bytes that are no UTF-8 replaced in \(lines)"
    case .unended: "the last line has no line end; added"
    case .movedEnd: "the end of the log stood before other records; moved behind them"
    case .header: "the log does not begin with a trace record; one added"
    case .beginning:
      "\(CountText.make(count, "subscription")) whose beginning is not in the log; it is said that"
        + " \(count == 1 ? "it is" : "they are") alive"
    case .lost: "records may be missing; a lost record added that says so"
    }
  }
}
