/// What is wrong with a log, kind by kind: this is what `--strict` refuses, and what `repair` repairs.
///
/// Damage is a line that is no record, a record that does not fit the others, or a compressed file that is not whole. What stands
/// around records and says nothing (blank lines, space, CR, NUL, a byte-order mark) is none, and neither is a last line
/// without a line end. What the program did wrong is for the rules: its log may be in order.
package struct Damage: Equatable, Sendable {
  package enum Kind: Int, CaseIterable, Sendable {
    // Lines that are no records, and are skipped.
    case malformed, incomplete, tooLong
    /// The last line stops in the middle: the process died while it wrote.
    case torn
    // Records that do not fit the others.
    case missingHeader, missingSubscribe, duplicateSubscribe, afterLogEnd
    /// The same file of a log again.
    case repeated
    /// A file of a log behind which one is missing.
    case beforeGap
    // The compressed file is cut short, is damaged, or has other bytes behind its end.
    case packingCut, packingDamaged, packingTrailed

    /// Whether such a line is left out.
    package var skipsLine: Bool {
      switch self {
      case .malformed, .incomplete, .tooLong: true
      default: false
      }
    }
  }

  package struct Tally: Equatable, Sendable {
    package var count: Int
    /// From 1.
    package let firstLine: Int
  }

  private var tallies: [Kind: Tally] = [:]

  package init() {}

  package var isEmpty: Bool { tallies.isEmpty }

  /// With one line of one kind.
  package init(_ kind: Kind, line: Int) {
    note(kind, line: line)
  }

  package subscript(kind: Kind) -> Tally? {
    tallies[kind]
  }

  package func count(_ kind: Kind) -> Int {
    tallies[kind]?.count ?? 0
  }

  /// The lines that were left out because they are no records.
  package var skippedLines: Int {
    tallies.reduce(0) { $1.key.skipsLine ? $0 + $1.value.count : $0 }
  }

  package mutating func note(_ kind: Kind, count: Int = 1, line: Int) {
    let firstLine = min(tallies[kind]?.firstLine ?? line, line)
    tallies[kind] = Tally(count: self.count(kind) + count, firstLine: firstLine)
  }

  /// - Parameter lines: how many lines come before those that the other one counted.
  package mutating func merge(_ other: Damage, lines: Int = 0) {
    for (kind, tally) in other.tallies {
      let line = tally.firstLine + lines
      let firstLine = min(tallies[kind]?.firstLine ?? line, line)
      tallies[kind] = Tally(count: count(kind) + tally.count, firstLine: firstLine)
    }
  }
}
