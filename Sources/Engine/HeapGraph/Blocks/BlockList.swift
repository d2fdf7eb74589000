/// Blocks of one size, one after the other, as an allocator describes them.
package struct BlockRun: Sendable {
  /// All memory of the run. What isn't in a block isn't in use.
  package let range: Range<UInt>
  /// The address of the first block.
  package let start: UInt
  /// The size of a block, in bytes.
  package let size: UInt
  package let count: Int

  package init(_ range: Range<UInt>, start: UInt, size: UInt, count: Int) {
    self.range = range
    self.start = start
    self.size = size
    self.count = count
  }

  /// Memory that isn't in use, or in which nothing is a reference.
  package init(unused range: Range<UInt>) {
    self.init(range, start: range.lowerBound, size: 0, count: 0)
  }

  /// Returns the part of the run in a range. Returns nil if a block isn't in it.
  package func clamped(to other: Range<UInt>) -> BlockRun? {
    let run = BlockRun(range.clamped(to: other), start: start, size: size, count: count)
    guard count > 0 else { return run.range.isEmpty ? nil : BlockRun(unused: run.range) }
    return run.isValid ? run : nil
  }

  /// A Boolean value that indicates whether all blocks are inside of the memory.
  package var isValid: Bool {
    let (length, overflows) = size.multipliedReportingOverflow(by: UInt(count))
    return !overflows && range.lowerBound <= start && start <= range.upperBound
      && length <= range.upperBound - start
  }

  /// Returns whether a block begins at an address.
  package func hasBlock(at address: UInt) -> Bool {
    start <= address && address < start + size * UInt(count) && (address - start) % size == 0
  }
}

/// The blocks of an allocator other than glibc's.
package struct BlockList {
  /// The runs, in ascending order.
  package var runs: [BlockRun] = []
  /// The addresses of blocks that aren't in use.
  package var free: [UInt] = []
  /// Places in memory with the addresses of blocks that aren't in use.
  package var caches: [UInt] = []

  package init() {}
}
