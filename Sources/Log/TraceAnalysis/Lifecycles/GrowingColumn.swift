import CRuntime.Scanning

/// Memory for a growing number of trivially copyable values.
///
/// It consists of pages that the system moves to another address without copying them when more are
/// needed. An array would copy its elements, and need memory for both copies in the meantime.
/// Values that were never written are undefined.
struct GrowingColumn<Value: BitwiseCopyable>: ~Copyable {
  private(set) var base: UnsafeMutablePointer<Value>
  private(set) var capacity: Int
  private var size: Int

  /// The size of the first block, which is a multiple of the page size of every system.
  private static var smallest: Int { 1 << 14 }

  /// Creates memory for a number of values, or for a few if that is less.
  init(capacity: Int) {
    let spare = SparePages.take(atLeast: Self.size(for: capacity))
    size = spare?.size ?? Self.size(for: capacity)
    let pages = spare.flatMap { UnsafeMutableRawPointer(bitPattern: $0.address) }
    guard let pages = pages ?? analysis_map_pages(size) else { Self.fail(size) }
    base = pages.assumingMemoryBound(to: Value.self)
    self.capacity = size / MemoryLayout<Value>.stride
  }

  deinit { SparePages.give(SparePages.Block(address: UInt(bitPattern: base), size: size)) }

  mutating func grow() {
    let larger = size * 2
    guard let pages = analysis_move_pages(base, size, larger) else { Self.fail(larger) }
    base = pages.assumingMemoryBound(to: Value.self)
    size = larger
    capacity = larger / MemoryLayout<Value>.stride
  }

  private static func size(for capacity: Int) -> Int {
    var size = smallest
    while size / MemoryLayout<Value>.stride < capacity { size *= 2 }
    return size
  }

  private static func fail(_ size: Int) -> Never {
    fatalError("The system has no \(size) bytes of memory left.")
  }
}
