import CRuntime.OwnProcess
import SwiftRuntime
import SystemLibrary

/// All Tasks of a process that haven't ended, found in its memory.
///
/// The census doesn't stop the process and doesn't take a lock in it. A Task that starts, ends or
/// moves on during the census may be missing. All other Tasks are found: their first word is the
/// address of the runtime's metadata of Tasks, and the allocator overwrites that word when it gets
/// the memory back.
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

  /// The Tasks, sorted by their numbers.
  package let tasks: [TaskRecord]
  /// The versions of the Tasks, or nil for those that moved on all the time.
  private let versions: [TaskReader.Version?]
  private let map: MemoryMap
  private let runtime: Runtime
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

  /// Calls `body` with the addresses of heap memory at which an object of a class can begin.
  package func forEachObject(
    ofClass metadata: UInt, in memory: ProcessMemory, while isInTime: () -> Bool,
    _ body: (UInt) -> Void
  ) {
    guard let buffer = ProcessMemory.map(Self.chunk) else { return }
    defer { ProcessMemory.unmap(buffer, Self.chunk) }
    Self.search(map, for: metadata, memory, buffer, while: isInTime, body)
  }

  /// Calls `body` with the addresses of heap memory at which a word is. Returns the number of bytes
  /// that were searched.
  @discardableResult
  private static func search(
    _ map: MemoryMap, for word: UInt, _ memory: ProcessMemory, _ buffer: UnsafeMutableRawPointer,
    while isInTime: () -> Bool, _ body: (UInt) -> Void
  ) -> Int {
    var searchedBytes = 0
    func search(_ range: Range<UInt>) {
      searchedBytes += find(word, in: range, memory, buffer, body)
    }
    let pages = PageTable(memory.process)
    for part in map.parts where part.use == .heap && isInTime() {
      for start in stride(from: part.start, to: part.end, by: chunk) where isInTime() {
        let range = start..<min(start + UInt(chunk), part.end)
        if let pages {
          pages.forEachPart(of: range, while: isInTime, search)
        } else {
          search(range)
        }
      }
    }
    return searchedBytes
  }

  /// Searches memory for Tasks.
  ///
  /// - Parameter deadline: The end of the search, in nanoseconds of the monotonic clock.
  package init(
    _ memory: ProcessMemory, _ map: MemoryMap, _ runtime: Runtime, deadline: Int
  ) throws(Refusal) {
    guard runtime.isLayoutKnown else {
      throw .unknownLayout(version: runtime.version, taskSize: runtime.taskSize)
    }
    guard let buffer = ProcessMemory.map(Self.chunk) else { throw .unreadable }
    defer { ProcessMemory.unmap(buffer, Self.chunk) }
    let isInTime = { LogClock.monotonic() < deadline }
    var found: [UInt] = []
    let searchedBytes = Self.search(map, for: runtime.metadata, memory, buffer, while: isInTime) {
      if found.count < Self.maxTasks { found.append($0) }
    }
    let reader = TaskReader(memory: memory, map: map, metadata: runtime.metadata)
    let tasks = Self.readWhole(found, reader, isInTime).sorted {
      ($0.record.number, $0.record.address) < ($1.record.number, $1.record.address)
    }
    self.tasks = tasks.map(\.record)
    versions = tasks.map(\.version)
    self.map = map
    self.runtime = runtime
    self.searchedBytes = searchedBytes
    isComplete = isInTime() && found.count < Self.maxTasks
  }

  /// The maximum number of places that are examined. Memory can have the first word of a Task
  /// everywhere.
  private static let maxTasks = 1 << 20

  /// Looks at the Tasks again. Returns for each whether it has moved on or ended since.
  package func haveMoved(_ memory: ProcessMemory) -> [Bool] {
    let reader = TaskReader(memory: memory, map: map, metadata: runtime.metadata)
    return zip(tasks, versions).map { task, version in
      version == nil || reader.version(at: task.address) != version
    }
  }

  private static let chunk = 1 << 18

  /// The time in which a thread finishes a Task that it makes, in nanoseconds.
  private static let settling = 1_000_000

  /// Reads Tasks, without those that a thread is about to make.
  ///
  /// Such a Task has a part of the memory of an earlier one, or a number that is half of another
  /// value. It can stay so for the whole census, because the census interrupts the thread. So the
  /// Tasks that moved on during a pause are read again.
  private static func readWhole(
    _ addresses: [UInt], _ reader: TaskReader, _ isInTime: () -> Bool
  ) -> [(record: TaskRecord, version: TaskReader.Version?)] {
    reader.memory.readAhead = readAhead
    defer { reader.memory.readAhead = 0 }
    let tasks = read(addresses, reader, isInTime)
    guard !tasks.isEmpty, isInTime() else { return tasks }
    LogClock.pause(.nanoseconds(settling))
    reader.memory.forgetPages()
    var moved: [UInt: UInt64] = [:]
    let still = tasks.filter { task, version in
      let now = reader.version(at: task.address)
      if let version, now == version { return true }
      if now != nil { moved[task.address] = task.number }
      return false
    }
    return still
      + read(moved.keys.sorted(), reader, isInTime).filter {
        $0.record.number == moved[$0.record.address]
      }
  }

  /// Reads Tasks that may move on or end in the meantime. A Task is read until it is the same
  /// before and afterward, so that its record isn't a mixture of two moments or of two Tasks.
  private static func read(
    _ addresses: [UInt], _ reader: TaskReader, _ isInTime: () -> Bool
  ) -> [(record: TaskRecord, version: TaskReader.Version?)] {
    var tasks: [(record: TaskRecord, version: TaskReader.Version?)] = []
    tasks.reserveCapacity(addresses.count)
    var open = Array(addresses.indices)
    // The last record of each Task, and the names by the numbers of Tasks that move on. The list
    // that has the name changes while a Task runs. The name itself never changes.
    var latest = [TaskReader.Reading?](repeating: nil, count: addresses.count)
    var names: [UInt64: String] = [:]
    for _ in 0..<looks where !open.isEmpty {
      // Pages are read one after the other, so one look can mix two moments. What two looks find in
      // the same way was there in between.
      reader.memory.forgetPages()
      var isFound = [Bool](repeating: false, count: addresses.count)
      for index in open where isInTime() {
        guard let task = reader.task(at: addresses[index]) else { continue }
        latest[index] = task
        isFound[index] = true
      }
      reader.memory.forgetPages()
      open = open.filter { index in
        let address = addresses[index]
        // The version is enough for most Tasks, which haven't moved on.
        if isFound[index], let task = latest[index], task.isConsistent,
          reader.version(at: address) == task.version
        {
          tasks.append((task.record, task.version))
          return false
        }
        guard let task = reader.task(at: address) else {
          if reader.version(at: address) == nil { latest[index] = nil }
          return latest[index] != nil
        }
        for record in [latest[index]?.record, task.record].compactMap(\.self) {
          if let name = record.name { names[record.number] = name }
        }
        return true
      }
    }
    for index in open {
      let address = addresses[index]
      guard let task = latest[index], let now = reader.version(at: address),
        now.isOfSameTask(task.version), task.record.status.isPlausible
      else { continue }
      tasks.append((task.record.withoutFrames(), nil))
      for _ in 0..<looksForName where names[task.record.number] == nil {
        reader.memory.forgetPages()
        names[task.record.number] = reader.name(ofTaskAt: address)
      }
    }
    guard !names.isEmpty else { return tasks }
    return tasks.map { task, version in
      (task.name == nil ? task.renamed(names[task.number]) : task, version)
    }
  }

  /// The number of pages to read at once. Tasks of a busy process are close to each other.
  private static let readAhead = 15
  /// The number of times that a Task is read. One that moves on each time has no frames.
  private static let looks = 4
  /// The number of additional attempts to read the name of a Task that moves on each time.
  private static let looksForName = 16

  /// Calls `body` with the addresses in a range at which a Task can begin. Returns the number of
  /// bytes that could be read.
  private static func find(
    _ metadata: UInt, in range: Range<UInt>, _ memory: ProcessMemory,
    _ buffer: UnsafeMutableRawPointer, _ body: (UInt) -> Void
  ) -> Int {
    var searched = 0
    var address = range.lowerBound
    while address < range.upperBound {
      let count = Int(range.upperBound - address)
      let copied = memory.copy(from: address, to: buffer, count: count) & ~7
      searched += copied
      find(metadata, in: buffer, count: copied) { body(address &+ $0) }
      guard copied < count else { break }
      // A page that can't be read ends a copy. The memory after it may be readable.
      let page = ProcessMemory.pageSize
      address = (address &+ UInt(copied) &+ page) & ~(page - 1)
    }
    return searched
  }

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
