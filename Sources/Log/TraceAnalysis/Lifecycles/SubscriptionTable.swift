import TraceFormat

/// A table that finds the index of a subscription by its id.
///
/// A recorder counts ids from 1, so nearly all of them index an array. Other ids in a file go to a
/// dictionary, so that no id makes the array large.
struct SubscriptionTable: Sendable {
  /// The index plus one for each ID; 0 for an unknown ID.
  private var dense: [UInt32] = []
  private var sparse: [UInt64: Int] = [:]
  private var count = 0

  @inline(__always)
  func index(of id: SubscriptionID) -> Int? {
    if id.number < UInt64(dense.count) {
      let slot = dense[Int(truncatingIfNeeded: id.number)]
      if slot > 0 { return Int(slot) - 1 }
    }
    return sparse.isEmpty ? nil : sparse[id.number]
  }

  mutating func insert(_ id: SubscriptionID, index: Int) {
    count += 1
    // A part in the middle of a log begins with large ids.
    let limit = UInt64(1 << 20 + count * 4)
    guard id.number < limit, index < Int(UInt32.max) else {
      sparse[id.number] = index
      return
    }
    let slot = Int(truncatingIfNeeded: id.number)
    if slot >= dense.count {
      let size = max(slot + 1, min(Int(limit), dense.count * 2))
      dense.append(contentsOf: repeatElement(0, count: size - dense.count))
    }
    dense[slot] = UInt32(index + 1)
  }
}
