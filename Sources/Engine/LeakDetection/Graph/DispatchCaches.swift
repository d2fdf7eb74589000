import CRuntime.Heap
import CRuntime.OwnProcess
import ProcessMemory

/// The items that libdispatch keeps for later work. Such an item still has the address of its last
/// work, which is a task in most programs.
extension HeapBlocks {
  /// The maximum size of the end of a stack and of other memory that can have the variables of a
  /// thread, in bytes.
  private static let maxThreadVariables = (ofStack: UInt(1) << 16, others: UInt(1) << 20)

  /// Marks the blocks of unused items as free.
  ///
  /// Each thread has a list of them. Its variables are found by the number of the thread, which
  /// comes before the address of the first item.
  func freeCachedItems() {
    let threads = ThreadNumbers.inside(process: memory.process)
    guard let lowest = threads.min(), let highest = threads.max() else { return }
    var first: Set<UInt> = []
    for range in others {
      switch use(of: range) {
      case .stack:
        let size = min(UInt(range.count), Self.maxThreadVariables.ofStack)
        search(range.upperBound &- size..<range.upperBound)
      case .heap where UInt(range.count) <= Self.maxThreadVariables.others: search(range)
      default: break
      }
    }
    for block in first.flatMap(cachedItems) { free(block) }

    func search(_ range: Range<UInt>) {
      forEachCopy(of: range) { words, count in
        var index = 0
        while true {
          index = trace_find_in_range(words, index, count, lowest, highest &+ 1)
          guard index < count else { return }
          let cache = index + Int(DispatchThreadLayout.cache / 8)
          if cache < count, words[cache] != 0, threads.contains(words[index]) {
            first.insert(words[cache])
          }
          index += 1
        }
      }
    }
  }

  /// Returns the blocks of a list of unused items. Each has the number of items from there on, and
  /// the last one is number 1. Returns an empty array if it isn't such a list.
  private func cachedItems(_ first: UInt) -> [Int] {
    var found: [Int] = []
    var (next, left) = (first, UInt32(0))
    while let block = block(at: next), isUsed(block),
      DispatchItemLayout.blockSizes.contains(range(of: block).count),
      let count = memory.half(next &+ DispatchItemLayout.cacheCount),
      found.isEmpty ? count <= DispatchItemLayout.maxCached : count == left - 1,
      let other = memory.word(next &+ DispatchItemLayout.next)
    {
      found.append(block)
      left = count
      if other == 0 || count <= 1 { return other == 0 && count == 1 ? found : [] }
      next = other
    }
    return []
  }
}
