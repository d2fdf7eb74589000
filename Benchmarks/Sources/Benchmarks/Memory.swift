import ReactiveKit

/// Measures the memory of a live subscription for each contestant of this program.
func measureMemory(_ contestants: Set<Contestant>) -> [MemoryUse] {
  let sum = Sum()
  let subject = PassthroughSubject<Int, Never>()
  var makers: [(Contestant, () -> Any)] = [
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
      { subject.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.observeNext { sum.value.pointee &+= $0 } }
    ),
  ]
  #if canImport(OpenCombine)
    makers.append((peer.contestant, peer.makeSubscriptions()))
  #endif
  return makers.compactMap { contestant, make in
    contestants.contains(contestant) ? measureMemory(of: contestant, make) : nil
  }
}
