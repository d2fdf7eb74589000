import ViewerConsole

/// The results of a repair, with a message for each kind of damage.
package struct RepairView {
  let tally: RepairTally

  package init(tally: RepairTally) {
    self.tally = tally
  }

  /// The messages, each with the first line of its kind in the old log and a word for the action.
  /// Bytes that are not damage are only tidied.
  package var sentences: [(word: String, line: Int, text: String)] {
    RepairTally.Kind.allCases.compactMap { kind in
      tally.entries[kind].map {
        (kind.isTidying ? "Tidied" : "Repaired", $0.firstLine, RepairView.sentence(kind, $0.count))
      }
    }
  }

  private static func sentence(_ kind: RepairTally.Kind, _ count: Int) -> String {
    let lines = CountText.make(count, "line")
    let records = CountText.make(count, "record")
    let leftOut = "\(lines) dropped"
    return switch kind {
    case .malformed: "not a JSON object; \(leftOut)"
    case .incomplete: "a JSON object that lacks keys of a record; \(leftOut)"
    case .tooLong: "longer than a record can be; \(leftOut)"
    case .torn: "the last line is incomplete; \(leftOut)"
    case .packingCut: "the compressed file is cut short; everything before that was kept"
    case .packingDamaged:
      "the compressed file is damaged; everything that could be decompressed was kept"
    case .packingTrailed:
      "the compressed file is followed by other data, which is ignored"
    case .blank: "\(CountText.make(count, "blank line")) dropped"
    case .repeated: "a log that occurred before; \(records) dropped"
    case .beforeGap: "the next file of this log is missing; \(records) dropped"
    case .secondBeginning: "a subscription begins again; \(records) dropped"
    case .secondEnd: "the log ends again; \(records) dropped"
    case .byteOrderMark: "byte-order mark dropped"
    case .nul: "NUL bytes dropped in \(lines)"
    case .carriageReturn: "CR dropped at the end of \(lines)"
    case .space: "space around a record dropped in \(lines)"
    case .invalidText: "bytes that are not UTF-8 replaced in \(lines)"
    case .unended: "the last line had no newline; added"
    case .movedEnd: "the end of the log came before other records; moved after them"
    case .header: "the log did not begin with a trace record; added"
    case .beginning:
      "\(CountText.make(count, "subscription")) whose beginning is not in the log;"
        + " now recorded as alive"
    case .lost: "records may be missing; a lost record was added to say so"
    }
  }
}
