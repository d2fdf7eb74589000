/// The rows of line tables at given addresses, found in one pass over the rows of all units.
struct RowFinder {
  struct Found {
    /// The offset in the section of the line program for the compiled file.
    let unit: Int
    let row: LineProgram.Row
  }

  /// The addresses to find, in ascending order.
  let addresses: [UInt]
  private(set) var rows: [Found?]
  private var index = 0
  private var last: LineProgram.Row?

  init(_ addresses: [UInt]) {
    self.addresses = addresses
    rows = Array(repeating: nil, count: addresses.count)
  }

  /// Returns whether an address to find is in a range.
  func needs(_ range: Range<UInt>) -> Bool {
    let next = addresses.firstIndex(notBelow: range.lowerBound) { $0 }
    return next < addresses.count && addresses[next] < range.upperBound
  }

  /// Notes that the next row belongs to another unit than the previous one.
  mutating func beginUnit() { last = nil }

  /// Notes the next row of a unit. A row applies until the next one.
  ///
  /// - Parameter isEnd: Whether the row only marks the end of the previous row.
  @inline(__always)
  mutating func note(_ row: LineProgram.Row, isEnd: Bool, in unit: Int) {
    if let last {
      while index < addresses.count, addresses[index] < row.address {
        rows[index] = Found(unit: unit, row: last)
        index += 1
      }
    } else {
      index = addresses.firstIndex(notBelow: row.address) { $0 }
    }
    last = isEnd ? nil : row
  }
}
