/// The damage of a log, by kind. `--strict` rejects it, and `repair` repairs it.
///
/// Damage is a line that is not a record, a record that does not fit the others, or a compressed
/// file that is damaged or incomplete. Bytes around records that have no meaning (blank lines,
/// space, CR, NUL, a byte-order mark) are not damage, and neither is a last line without a newline.
/// Mistakes of the program are not damage: the rules find them, and the log may be intact.
package struct Damage: Equatable, Sendable {
  package enum Kind: Int, CaseIterable, Sendable {
    // Lines that are not records, and are skipped.
    case malformed, incomplete, tooLong
    /// A last line that stops in the middle: the process died while it wrote.
    case torn
    // Records that do not fit the others.
    case missingHeader, missingSubscribe, duplicateSubscribe, afterLogEnd
    /// A file of a log that was already read.
    case repeated
    /// A file of a log with a missing file after it.
    case beforeGap
    // A compressed file that is cut short, is damaged, or has other bytes after its end.
    case packingCut, packingDamaged, packingTrailed

    /// A Boolean value that indicates whether such a line is skipped.
    var skipsLine: Bool {
      switch self {
      case .malformed, .incomplete, .tooLong: true
      default: false
      }
    }
  }

  package struct Tally: Equatable, Sendable {
    package var count: Int
    /// The number of the first line, from 1.
    package let firstLine: Int
  }

  private var tallies: [Kind: Tally] = [:]

  package init() {}

  package var isEmpty: Bool { tallies.isEmpty }

  /// Creates damage of one kind in one line.
  package init(_ kind: Kind, line: Int) {
    note(kind, line: line)
  }

  package subscript(kind: Kind) -> Tally? {
    tallies[kind]
  }

  package func count(_ kind: Kind) -> Int {
    tallies[kind]?.count ?? 0
  }

  /// The number of lines that were skipped because they are not records.
  var skippedLines: Int {
    tallies.reduce(0) { $1.key.skipsLine ? $0 + $1.value.count : $0 }
  }

  package mutating func note(_ kind: Kind, count: Int = 1, line: Int) {
    let firstLine = min(tallies[kind]?.firstLine ?? line, line)
    tallies[kind] = Tally(count: self.count(kind) + count, firstLine: firstLine)
  }

  /// Adds other damage.
  ///
  /// - Parameter lines: The number of lines before those that the other damage counts.
  package mutating func merge(_ other: Damage, lines: Int = 0) {
    for (kind, tally) in other.tallies {
      let line = tally.firstLine + lines
      let firstLine = min(tallies[kind]?.firstLine ?? line, line)
      tallies[kind] = Tally(count: count(kind) + tally.count, firstLine: firstLine)
    }
  }
}
