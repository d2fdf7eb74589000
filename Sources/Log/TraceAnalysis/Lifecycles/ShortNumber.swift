import SystemLibrary

/// A number of any size in four bytes.
///
/// A recorder counts subscriptions and scopes from 1, so their numbers are small. A file may
/// contain others. Those are stored in a table that exists as long as the process, like the sites.
struct ShortNumber: Equatable, Sendable {
  /// The number or, from `limit` on, its index in the table.
  private let raw: UInt32

  private static let limit: UInt32 = 1 << 31

  private struct Table {
    var numbers: [UInt64] = []
    var indices: [UInt64: UInt32] = [:]
  }

  private static let large = BlockingMutex(Table())

  static let zero = ShortNumber(0)

  @inline(__always)
  init(_ number: UInt64) {
    raw = number < UInt64(Self.limit) ? UInt32(truncatingIfNeeded: number) : Self.place(of: number)
  }

  var number: UInt64 {
    @inline(__always) get { raw < Self.limit ? UInt64(raw) : Self.number(at: raw) }
  }

  @inline(never)
  private static func place(of number: UInt64) -> UInt32 {
    large.withLock { table in
      if let known = table.indices[number] { return known }
      let place = limit + UInt32(truncatingIfNeeded: table.numbers.count) % limit
      table.numbers.append(number)
      table.indices[number] = place
      return place
    }
  }

  @inline(never)
  private static func number(at place: UInt32) -> UInt64 {
    large.withLock { $0.numbers[Int(place - limit)] }
  }
}
