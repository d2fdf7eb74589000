import CRuntime.OwnProcess
import ProcessMemory
import SystemLibrary

/// A copy of all memory of this process that can have references: the memory of allocators, the
/// variables and the stacks. The copies have their own mappings and aren't part of the search.
package final class MemorySnapshot {
  /// The maximum size of a snapshot, in bytes.
  static let maxSize = 512 << 20
  private static let chunk = 4 << 20

  /// The parts in ascending order, with their copies.
  let parts: UnsafeMutableBufferPointer<trace_part>
  private(set) var uses: [MemoryMap.Use] = []
  private(set) var byteCount = 0

  /// The lowest address of the calling thread's stack that was copied.
  let stackStart: UInt

  /// Copies the memory of this process. Returns nil if time or memory runs out.
  ///
  /// - Parameters:
  ///   - stackStart: The lowest address of the calling thread's stack to copy.
  ///   - deadline: The end of the work, in nanoseconds of the monotonic clock.
  package init?(_ heap: Heap, stackStart: UInt, deadline: Int) {
    let (map, memory) = (heap.map, heap.memory)
    let isInTime = { LogClock.monotonic() < deadline }
    self.stackStart = stackStart & ~7
    let idle = heap.idleThreads
    let wanted = map.parts.filter { [.heap, .variables, .stack].contains($0.use) }
    parts = .allocate(capacity: max(1, wanted.count))
    parts.initialize(repeating: trace_part())
    let total = wanted.reduce(0) { $0 + Int($1.end - $1.start) }
    guard total <= Self.maxSize, total <= AvailableMemory.bytes().map({ $0 / 2 }) ?? .max,
      MemoryReserve.hasRoom(for: total + ProcessMemory.neededSpace)
    else { return nil }
    for part in wanted {
      let start = part.use == .stack && part.contains(stackStart) ? self.stackStart : part.start
      let count = Int(part.end - start) & ~7
      guard isInTime(), let copy = ProcessMemory.map(max(count, 8)) else { return nil }
      parts[uses.count] = trace_part(
        start: start, end: start &+ UInt(count), words: copy.assumingMemoryBound(to: UInt.self))
      uses.append(part.use)
      byteCount += count
      var done = 0
      while done < count {
        guard isInTime() else { return nil }
        let step = min(Self.chunk, count - done)
        let copied = memory.copy(from: start &+ UInt(done), to: copy + done, count: step)
        // A page that can't be read stays empty. The memory after it may be readable.
        let page = Int(ProcessMemory.pageSize)
        done += copied == step ? step : (copied / page + 1) * page
      }
    }
    // A thread that got work in the meantime isn't idle.
    heap.memory.forgetPages()
    let idleNow = heap.idleThreads
    for (thread, range) in idle.ranges where idleNow.ranges[thread] == range { clear(range) }
  }

  deinit {
    for part in parts where part.words != nil {
      ProcessMemory.unmap(part.words, max(8, Int(part.end - part.start)))
    }
    parts.deallocate()
  }

  var indices: Range<Int> { uses.indices }

  /// Returns the index of the part that contains an address.
  func index(of address: UInt) -> Int? {
    var (low, high) = (0, uses.count)
    while low < high {
      let middle = (low + high) / 2
      if parts[middle].end <= address { low = middle + 1 } else { high = middle }
    }
    return low < uses.count && parts[low].start <= address ? low : nil
  }

  /// Returns the place of a word in the copies.
  private func place(_ address: UInt) -> UnsafeMutablePointer<UInt>? {
    guard address & 7 == 0, let index = index(of: address) else { return nil }
    return parts[index].words + Int(address - parts[index].start) / 8
  }

  func word(_ address: UInt) -> UInt? { place(address)?.pointee }

  /// Clears words of the copies, so that a search doesn't follow them.
  func clear(_ range: Range<UInt>) {
    for address in stride(from: range.lowerBound & ~7, to: range.upperBound, by: 8) {
      place(address)?.pointee = 0
    }
  }
}

extension Heap {
  fileprivate var idleThreads: IdleThreads {
    let (start, size) = dispatchImage
    return IdleThreads(memory, map, dispatch: start..<start &+ size)
  }
}
