import TraceFormat

/// A packing of subscriptions into a few rows without overlap.
///
/// If there is room for all, each subscription gets the first row that is free where it begins, so
/// that a row reads from left to right. Otherwise, the caller decides which of them get a row
/// first.
struct RowPacking {
  /// The members of each row, in the order of their beginnings.
  private(set) var rows: [[Int]] = []
  /// The members without a row, in ascending order.
  private(set) var overflow: [Int] = []

  /// Packs subscriptions.
  ///
  /// - Parameters:
  ///   - members: The subscriptions in the order of their beginnings.
  ///   - maxRows: The maximum number of rows.
  ///   - bounds: A function that returns the range that a subscription takes: of times, or of
  ///     columns. A range may begin where another one ends.
  ///   - precedence: A function that returns the members in the order in which they get rows if
  ///     there is not room for all.
  init(
    _ members: [Int], rows maxRows: Int, bounds: (Int) -> Range<UInt64>,
    precedence: ([Int]) -> [Int]
  ) {
    guard !packAll(members, maxRows, bounds) else { return }
    pack(precedence(members), maxRows, bounds)
    overflow.sort()
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
      guard let (row, index) = RowPacking.place(for: range, in: taken) else {
        overflow.append(member)
        continue
      }
      taken[row].insert(range, at: index)
      rows[row].insert(member, at: index)
    }
    rows.removeAll(where: \.isEmpty)
  }

  /// Returns the first row that has room for a range, and the index in the row.
  private static func place(
    for range: Range<UInt64>, in rows: [[Range<UInt64>]]
  ) -> (row: Int, index: Int)? {
    for (row, taken) in rows.enumerated() {
      if let index = gap(for: range, in: taken) { return (row, index) }
    }
    return nil
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
