import CRuntime.OwnProcess
import SystemLibrary

/// A copy of all memory of this process that can have references: the memory of allocators, the
/// variables and the stacks. The copies have their own mappings and aren't part of a search.
package final class MemorySnapshot {
  /// The maximum size of a snapshot, in bytes.
  private static let maxSize = 512 << 20
  private static let chunk = 4 << 20

  /// A part of the memory with its copy.
  private struct Part {
    let range: Range<UInt>
    let copy: UnsafeMutableRawPointer
  }

  /// The memory that the process has now. Memory that can't have references is read there.
  private let current: ProcessMemory
  /// The parts in ascending order.
  private var parts: [Part] = []
  /// The lowest address of the calling thread's stack that was copied.
  package let stackStart: UInt
  /// The numbers of the threads after the copy.
  package let threads: Set<UInt>

  /// Copies the memory of this process. Returns nil if time or memory runs out.
  ///
  /// - Parameters:
  ///   - stackStart: The lowest address of the calling thread's stack to copy. What is below is 0
  ///     in the copy.
  ///   - deadline: The end of the work, in nanoseconds of the monotonic clock.
  ///   - idle: Returns the unused parts of the stacks of idle threads, by the threads. They are 0
  ///     in the copy.
  package init?(
    _ memory: ProcessMemory, _ map: MemoryMap, stackStart: UInt, deadline: Int,
    idle: () -> [Int32: Range<UInt>]
  ) {
    let isInTime = { LogClock.monotonic() < deadline }
    current = memory
    self.stackStart = stackStart & ~7
    let idleBefore = idle()
    let wanted = map.parts.filter { [.heap, .variables, .stack].contains($0.use) }
    let total = wanted.reduce(0) { $0 + Int($1.end - $1.start) }
    guard total <= Self.maxSize, total <= AvailableMemory.bytes().map({ $0 / 2 }) ?? .max,
      MemoryReserve.hasRoom(for: total + ProcessMemory.neededSpace)
    else { return nil }
    parts.reserveCapacity(wanted.count)
    for part in wanted {
      let size = Int(part.end - part.start)
      guard isInTime(), let copy = ProcessMemory.map(size) else { return nil }
      parts.append(Part(range: part.start..<part.end, copy: copy))
      var done =
        part.use == .stack && part.contains(stackStart) ? Int(self.stackStart - part.start) : 0
      while done < size {
        guard isInTime() else { return nil }
        let step = min(Self.chunk, size - done)
        let copied = memory.copy(from: part.start &+ UInt(done), to: copy + done, count: step)
        // A page that can't be read stays empty. The memory after it may be readable.
        let page = Int(ProcessMemory.pageSize)
        done += copied == step ? step : (copied / page + 1) * page
      }
    }
    // A thread that got work in the meantime isn't idle.
    memory.forgetPages()
    let idleNow = idle()
    threads = ThreadNumbers.inside(process: memory.process)
    for (thread, range) in idleBefore where idleNow[thread] == range { clear(range) }
  }

  deinit { for part in parts { ProcessMemory.unmap(part.copy, part.range.count) } }

  /// Returns the index of the first part that ends after an address.
  private func index(after address: UInt) -> Int {
    var (low, high) = (0, parts.count)
    while low < high {
      let middle = (low + high) / 2
      if parts[middle].range.upperBound <= address { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the place of a word in the copies.
  private func place(_ address: UInt) -> UnsafeMutablePointer<UInt>? {
    guard address & 7 == 0, case let index = index(after: address), index < parts.count,
      parts[index].range.contains(address)
    else { return nil }
    return (parts[index].copy + Int(address - parts[index].range.lowerBound))
      .assumingMemoryBound(to: UInt.self)
  }

  /// Returns a word of the copies, or nil if it wasn't copied.
  package func word(_ address: UInt) -> UInt? { place(address)?.pointee }

  /// Returns the masked words in a range of the copies that are in a range of values.
  package func words(in range: Range<UInt>, from values: Range<UInt>, _ mask: UInt) -> [UInt] {
    guard let first = place(range.lowerBound) else { return [] }
    let count = range.count / 8
    guard mask == .max else {
      return (0..<count).lazy.map { first[$0] & mask }.filter(values.contains)
    }
    var (found, index): ([UInt], Int) = ([], 0)
    while true {
      index = trace_find_in_range(first, index, count, values.lowerBound, values.upperBound)
      guard index < count else { return found }
      found.append(first[index])
      index += 1
    }
  }

  /// Clears words of the copies, so that a search doesn't follow them.
  package func clear(_ range: Range<UInt>) {
    for address in stride(from: range.lowerBound & ~7, to: range.upperBound, by: 8) {
      place(address)?.pointee = 0
    }
  }

  /// Copies memory from the snapshot, and what it doesn't have from the process. Returns the number
  /// of bytes copied from the start.
  func copy(from address: UInt, to target: UnsafeMutableRawPointer, count: Int) -> Int {
    var done = 0
    while done < count {
      let (at, overflows) = address.addingReportingOverflow(UInt(done))
      guard !overflows else { break }
      let next = index(after: at)
      if next < parts.count, parts[next].range.contains(at) {
        let (part, offset) = (parts[next], Int(at - parts[next].range.lowerBound))
        let size = min(count - done, part.range.count - offset)
        (target + done).copyMemory(from: part.copy + offset, byteCount: size)
        done += size
      } else {
        let end = next < parts.count ? parts[next].range.lowerBound : .max
        let size = Int(min(UInt(count - done), end - at))
        let copied = current.copy(from: at, to: target + done, count: size)
        done += copied
        if copied < size { break }
      }
    }
    return done
  }
}
