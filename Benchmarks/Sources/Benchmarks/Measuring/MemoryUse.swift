import HeapCounter

/// The heap memory of one live subject -> map -> filter -> observer.
struct MemoryUse: Codable {
  let contestant: Contestant
  let bytes: Double
  let blocks: Double
}

/// Measures the memory of what `make` returns, or returns nil if it can't be counted.
func measureMemory(of contestant: Contestant, _ make: () -> Any) -> MemoryUse? {
  guard heap_allocations() >= 0 else { return nil }
  let count = 10_000
  // The array is allocated first, so that it doesn't count.
  var kept: [Any] = []
  kept.reserveCapacity(count + 1)
  kept.append(make())
  var bytes = 0
  // Blocks that are allocated and freed in between don't count.
  var blocks = 0
  for _ in 0..<count {
    heap_counting(1)
    let before = (heap_bytes(), heap_allocations(), heap_frees())
    kept.append(make())
    bytes += heap_bytes() - before.0
    blocks += heap_allocations() - before.1 - (heap_frees() - before.2)
    heap_counting(0)
  }
  return MemoryUse(
    contestant: contestant, bytes: Double(bytes) / Double(count),
    blocks: Double(blocks) / Double(count))
}
