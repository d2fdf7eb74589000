import CRuntime.Heap
import CRuntime.OwnProcess
import ProcessMemory

/// The items that libdispatch keeps for later work. Such an item still has the address of its last
/// work, which is a task in most programs.
extension HeapBlocks {
  /// The maximum size of the end of a stack and of other memory that can have the variables of a
  /// thread, in bytes.
  static let maxThreadVariables = (ofStack: UInt(1) << 16, others: UInt(1) << 20)

  /// Marks the blocks of unused items as free.
  func freeCachedItems() {
    for item in firstCachedItems(in: others).flatMap(cachedItems) {
      if let block = block(at: item) { free(block) }
    }
  }

  /// Notes the places of unused items whose blocks aren't known.
  func noteCachedItems() {
    let ranges = map.parts.map { $0.start..<$0.end }
    for item in firstCachedItems(in: ranges).flatMap(cachedItems) {
      note(cache: heap_range(start: item, end: item &+ DispatchItemLayout.size))
    }
    var caches = UnsafeMutableBufferPointer(start: heap.caches, count: heap.cache_count)
    caches.sort { $0.start < $1.start }
  }

  /// Returns the first item of each list. Each thread has a list. Its variables are found by the
  /// number of the thread, which comes before the address of the first item.
  private func firstCachedItems(in ranges: [Range<UInt>]) -> Set<UInt> {
    let threads = memory.threadNumbers
    guard let lowest = threads.min(), let highest = threads.max() else { return [] }
    var first: Set<UInt> = []
    for range in ranges {
      switch use(of: range) {
      case .stack:
        let size = min(UInt(range.count), Self.maxThreadVariables.ofStack)
        search(range.upperBound &- size..<range.upperBound)
      case .heap where UInt(range.count) <= Self.maxThreadVariables.others: search(range)
      case .variables where heap.has_only_objects || heap.has_size_classes: search(range)
      default: break
      }
    }
    return first

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

  /// Returns the items of a list. Each has the number of items from there on, and the last one is
  /// number 1. Returns an empty array if it isn't such a list.
  private func cachedItems(_ first: UInt) -> [UInt] {
    var found: [UInt] = []
    var (next, left) = (first, UInt32(0))
    while isItem(next), let count = memory.half(next &+ DispatchItemLayout.cacheCount),
      found.isEmpty ? count <= DispatchItemLayout.maxCached : count == left - 1,
      let other = memory.word(next &+ DispatchItemLayout.next)
    {
      found.append(next)
      left = count
      if other == 0 || count <= 1 { return other == 0 && count == 1 ? found : [] }
      next = other
    }
    return []
  }

  /// Returns whether an item can be at an address.
  private func isItem(_ address: UInt) -> Bool {
    guard let block = block(around: address) else { return false }
    // In a list of objects, an item is a part of what is between two of them.
    if heap.has_only_objects {
      return !isUsed(block) && address & 15 == 0
        && range(of: block).upperBound - address >= DispatchItemLayout.size
    }
    let range = range(of: block)
    guard range.lowerBound == address, isUsed(block) else { return false }
    return heap.has_size_classes
      ? range.count >= DispatchItemLayout.size
      : DispatchItemLayout.blockSizes.contains(range.count)
  }
}
