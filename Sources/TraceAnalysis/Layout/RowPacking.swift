import TraceFormat

/// A packing of subscriptions into a few rows without overlap.
///
/// If there is room for all, each subscription gets the first row that is free where it begins, so
/// that a row reads from left to right. Otherwise, the caller decides which of them get a row
/// first.
package struct RowPacking {
  /// The members of each row, in the order of their beginnings.
  package private(set) var rows: [[Int]] = []
  /// The members without a row, in the order in which they were given.
  package private(set) var overflow: [Int] = []

  /// Packs subscriptions.
  ///
  /// - Parameters:
  ///   - members: The subscriptions in the order of their beginnings.
  ///   - maxRows: The maximum number of rows.
  ///   - bounds: A function that returns the range that a subscription takes: of times, or of
  ///     columns. A range may begin where another one ends.
  ///   - precedence: A function that returns the members in the order in which they get rows if
  ///     there is not room for all.
  package init(
    _ members: [Int], rows maxRows: Int, bounds: (Int) -> Range<UInt64>,
    precedence: ([Int]) -> [Int]
  ) {
    guard !packAll(members, maxRows, bounds) else { return }
    pack(precedence(members), maxRows, bounds)
    let packed = Set(rows.joined())
    overflow = members.filter { !packed.contains($0) }
  }

  /// Packs all members by their beginnings, and returns false if there are too few rows.
  private mutating func packAll(
    _ members: [Int], _ maxRows: Int, _ bounds: (Int) -> Range<UInt64>
  ) -> Bool {
    var ends: [UInt64] = []
    for member in members {
      let range = bounds(member)
      if let row = ends.firstIndex(where: { $0 <= range.lowerBound }) {
        rows[row].append(member)
        ends[row] = range.upperBound
      } else {
        guard rows.count < maxRows else { return false }
        rows.append([member])
        ends.append(range.upperBound)
      }
    }
    return true
  }

  /// Packs the members that fit, one after the other.
  private mutating func pack(
    _ members: [Int], _ maxRows: Int, _ bounds: (Int) -> Range<UInt64>
  ) {
    rows = Array(repeating: [], count: maxRows)
    var taken = [[Range<UInt64>]](repeating: [], count: maxRows)
    for member in members {
      let range = bounds(member)
      for row in rows.indices {
        guard let index = RowPacking.gap(for: range, in: taken[row]) else { continue }
        taken[row].insert(range, at: index)
        rows[row].insert(member, at: index)
        break
      }
    }
    rows.removeAll(where: \.isEmpty)
  }

  /// Returns the index at which a range fits between the ranges of a row; nil if it does not fit.
  private static func gap(for range: Range<UInt64>, in row: [Range<UInt64>]) -> Int? {
    let key = (range.lowerBound, range.upperBound)
    // Most ranges come after nearly all others, so the search runs backward.
    var index = row.count
    while index > 0, (row[index - 1].lowerBound, row[index - 1].upperBound) > key { index -= 1 }
    guard index == 0 || row[index - 1].upperBound <= range.lowerBound,
      index == row.count || range.upperBound <= row[index].lowerBound
    else { return nil }
    return index
  }
}

extension LifeSpans {
  /// Packs subscriptions into rows by time. Active subscriptions get rows first, because users look
  /// for them.
  ///
  /// - Parameter members: The subscriptions in the order of their beginnings.
  package func packing(of members: [Int], rows maxRows: Int) -> RowPacking {
    RowPacking(
      members, rows: maxRows,
      bounds: { index in
        let span = self[index]
        return span.start.count..<max(span.start, span.last).count
      },
      precedence: { members in
        members.filter { self[$0].isUnexpectedlyActive }
          + members.filter { !self[$0].isUnexpectedlyActive }
      })
  }
}
