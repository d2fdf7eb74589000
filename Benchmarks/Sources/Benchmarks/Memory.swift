import HeapCounter
import OpenCombine
import ReactiveKit

/// The heap memory of one live subject -> map -> filter -> observer.
struct MemoryUse {
  let contestant: Contestant
  let bytes: Double
  let allocations: Double
}

func measureMemory(_ options: Options) -> [MemoryUse] {
  guard heap_allocations() >= 0 else { return [] }
  let sum = Sum()
  let ours = ReactiveKit.PassthroughSubject<Int, Never>()
  let peer = OpenCombine.PassthroughSubject<Int, Never>()
  let makers: [(Contestant, () -> Any)] = [
    (
      .closures,
      {
        let lock = MutexBox()
        let chain = mapping({ $0 &+ 1 }, filtering({ $0 & 1 == 0 }, { sum.value.pointee &+= $0 }))
        let locked: Next = { number in lock.mutex.withLock { _ in chain(number) } }
        return locked
      }
    ),
    (
      .ours,
      {
        ours.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.observeNext { sum.value.pointee &+= $0 }
      }
    ),
    (
      .openCombine,
      { peer.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.sink { sum.value.pointee &+= $0 } }
    ),
  ]
  let count = 10_000
  return makers.filter { options.contestants.contains($0.0) }.map { contestant, make in
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
      allocations: Double(blocks) / Double(count))
  }
}
