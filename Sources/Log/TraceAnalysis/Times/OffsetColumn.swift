/// Numbers that are stored as their distances from the lowest one: 4 bytes each, or 8 bytes if one
/// distance doesn't fit into 4.
struct OffsetColumn: RandomAccessCollection, Sendable {
  /// The number from which distances are counted. No number is lower.
  let base: UInt64
  private let short: [UInt32]
  private let long: [UInt64]

  /// Creates a column of the numbers that `body` appends.
  ///
  /// - Parameters:
  ///   - base: A number that isn't above any other.
  ///   - highest: A number that isn't below any other.
  ///   - count: How many numbers `body` appends.
  init(
    base: UInt64, highest: UInt64, count: Int, _ body: (_ append: (UInt64) -> Void) -> Void
  ) {
    self.base = base
    var short: [UInt32] = []
    var long: [UInt64] = []
    if Self.isShort(base, highest) {
      short.reserveCapacity(count)
      body { short.append(UInt32(truncatingIfNeeded: $0 - base)) }
    } else {
      long.reserveCapacity(count)
      body { long.append($0 - base) }
    }
    self.short = short
    self.long = long
  }

  /// Creates a copy of a column in which each row is in ascending order. Rows are nearly always in
  /// order already.
  ///
  /// - Parameter starts: The start of each row, followed by the end of the last row.
  init(_ column: OffsetColumn, sortedInRows starts: [UInt32]) {
    base = column.base
    short = Self.sortedInRows(column.short, starts)
    long = Self.sortedInRows(column.long, starts)
  }

  /// Reports whether numbers up to `highest` take 4 bytes each.
  static func isShort(_ base: UInt64, _ highest: UInt64) -> Bool {
    highest - base <= UInt64(UInt32.max)
  }

  var startIndex: Int { 0 }
  var endIndex: Int { short.count + long.count }

  @inline(__always)
  subscript(index: Int) -> UInt64 {
    base &+ (long.isEmpty ? UInt64(short[index]) : long[index])
  }

  /// Returns the index of the first number in a range that is at least `number`; the end of the
  /// range if all are lower. The numbers of the range must ascend.
  func firstIndex(in range: Range<Int>, from number: UInt64) -> Int {
    guard number > base else { return range.lowerBound }
    let distance = number - base
    if long.isEmpty {
      guard let distance = UInt32(exactly: distance) else { return range.upperBound }
      return range.partitionPoint { short[$0] >= distance }
    }
    return range.partitionPoint { long[$0] >= distance }
  }

  private static func sortedInRows<Number: Comparable>(
    _ numbers: [Number], _ starts: [UInt32]
  ) -> [Number] {
    guard !numbers.isEmpty else { return numbers }
    var numbers = numbers
    for row in 0..<Swift.max(0, starts.count - 1) {
      let range = Int(starts[row])..<Int(starts[row + 1])
      var isSorted = true
      for index in range.dropFirst() where numbers[index] < numbers[index - 1] { isSorted = false }
      if !isSorted { numbers[range].sort() }
    }
    return numbers
  }
}
