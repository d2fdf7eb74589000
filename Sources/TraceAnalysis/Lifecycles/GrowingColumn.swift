import AnalysisShims

/// Memory for a growing number of values that are only bytes.
///
/// It consists of pages of the system, which move to another address when more are needed, without
/// being copied. An array would copy its elements, and need the memory for both copies meanwhile.
struct GrowingColumn<Value: BitwiseCopyable>: ~Copyable {
  private(set) var base: UnsafeMutablePointer<Value>
  private(set) var capacity: Int
  private var size: Int

  /// The size of the first block, which is a multiple of the page size of every system.
  private static var smallest: Int { 1 << 14 }

  /// Creates memory for a number of values, or for a few if that is less.
  init(capacity: Int) {
    size = Self.size(for: capacity)
    guard let pages = analysis_map_pages(size) else { Self.fail(size) }
    base = pages.assumingMemoryBound(to: Value.self)
    self.capacity = size / MemoryLayout<Value>.stride
  }

  deinit { analysis_unmap_pages(base, size) }

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
