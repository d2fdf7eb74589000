import HostSafety
import SwiftRuntime
import SystemLibrary
import TraceShims

/// All Tasks of a process that haven't ended, found in its memory.
///
/// The census doesn't stop the process and doesn't take a lock in it. A Task that starts, ends or
/// moves on during the census may be missing, or be described by a mixture of two moments. All
/// other Tasks are found: their first word is the address of the runtime's metadata of Tasks, and
/// the allocator overwrites that word when it gets the memory back.
package struct TaskCensus {
  /// The reasons why a census isn't possible.
  package enum Refusal: Error, Equatable, Sendable {
    /// The program doesn't have the runtime of Swift concurrency, or the runtime doesn't describe
    /// itself.
    case noRuntime
    /// The layouts of the runtime have an unknown version.
    case unknownLayout(version: UInt32, taskSize: Int)
    /// The memory of the process can't be read.
    case unreadable
  }

  /// The facts about the concurrency runtime of a process.
  package struct Runtime: Equatable, Sendable {
    /// The address of the metadata of Tasks.
    package let metadata: UInt
    /// The version of the private layouts.
    package let version: UInt32
    /// The size of a Task without its result, in bytes.
    package let taskSize: Int

    package init(metadata: UInt, version: UInt32, taskSize: Int) {
      self.metadata = metadata
      self.version = version
      self.taskSize = taskSize
    }

    /// The runtime of this process.
    package static var own: Runtime? {
      let runtime = trace_task_runtime()
      guard runtime.metadata != 0 else { return nil }
      return Runtime(
        metadata: UInt(runtime.metadata), version: runtime.layout_version,
        taskSize: Int(runtime.size))
    }
  }

  /// The Tasks, sorted by their numbers.
  package let tasks: [TaskRecord]
  /// A Boolean value that indicates whether all memory was searched. If it is false, time ran out.
  package let isComplete: Bool
  /// The number of bytes that were searched.
  package let searchedBytes: Int

  /// Searches the memory of this process.
  ///
  /// - Parameter deadline: The end of the search, in nanoseconds of the monotonic clock.
  package static func ofThisProcess(deadline: Int) throws(Refusal) -> TaskCensus {
    guard let runtime = Runtime.own else { throw .noRuntime }
    // The list of parts is read first, so that it doesn't include the memory for copies.
    guard let map = MemoryMap(), let memory = ProcessMemory() else { throw .unreadable }
    return try TaskCensus(memory, map, runtime, deadline: deadline)
  }

  /// Searches memory for Tasks.
  ///
  /// - Parameter deadline: The end of the search, in nanoseconds of the monotonic clock.
  package init(
    _ memory: ProcessMemory, _ map: MemoryMap, _ runtime: Runtime, deadline: Int
  ) throws(Refusal) {
    guard runtime.version == TaskLayout.version, runtime.taskSize == TaskLayout.size else {
      throw .unknownLayout(version: runtime.version, taskSize: runtime.taskSize)
    }
    guard let buffer = ProcessMemory.map(Self.chunk) else { throw .unreadable }
    defer { munmap(buffer, Self.chunk) }
    let isInTime = { LogClock.monotonic() < deadline }
    var found: [UInt] = []
    var searchedBytes = 0
    for part in map.parts where part.use == .heap && isInTime() {
      var address = part.start
      while address < part.end, isInTime() {
        let count = min(Self.chunk, Int(part.end - address))
        let copied = memory.copy(from: address, to: buffer, count: count) & ~7
        searchedBytes += copied
        Self.find(runtime.metadata, in: buffer, count: copied) { found.append(address &+ $0) }
        // A page that can't be read ends a copy. The memory after it may be readable.
        let page = ProcessMemory.pageSize
        address =
          copied == count
          ? address &+ UInt(count) : (address &+ UInt(copied) &+ page) & ~(page - 1)
      }
    }
    let reader = TaskReader(memory: memory, map: map)
    var tasks: [TaskRecord] = []
    for address in found where isInTime() {
      if let task = reader.task(at: address) { tasks.append(task) }
    }
    self.tasks = tasks.sorted { ($0.number, $0.address) < ($1.number, $1.address) }
    self.searchedBytes = searchedBytes
    isComplete = isInTime()
  }

  private static let chunk = 1 << 18

  /// Calls `body` with the offsets at which a Task can begin, because the metadata is there.
  private static func find(
    _ metadata: UInt, in buffer: UnsafeMutableRawPointer, count: Int, _ body: (UInt) -> Void
  ) {
    let words = buffer.assumingMemoryBound(to: UInt64.self)
    // One bit for each group of addresses with the same lower bits, as `trace_find_word` expects.
    var filter = [UInt8](repeating: 0, count: 1 << 13)
    let bit = Int(metadata >> 4 & 0xFFFF)
    filter[bit >> 3] |= 1 << UInt8(bit & 7)
    var index = 0
    while true {
      index = trace_find_word(
        words, index, count / 8, .max, UInt64(metadata), UInt64(metadata), filter)
      guard index < count / 8 else { return }
      // The chunk begins at a page, so the alignment of the offset is that of the address.
      if UInt(index * 8) & ObjectLayout.alignmentMask == 0 { body(UInt(index * 8)) }
      index += 1
    }
  }
}
