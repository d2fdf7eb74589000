import CRuntime.OwnProcess
package import ProcessMemory
import SwiftRuntime
import SystemLibrary

/// Which tasks of this process can still continue.
///
/// A continuation is the address of its task. So if something that can still run has a word with
/// that address, it may resume the task. The search follows all addresses from the variables, the
/// stacks and the tasks that can continue, unless the layout of an object says that a word isn't a
/// reference. A number that looks like an address only makes it find less. Memory that the
/// allocator has got back isn't followed, nor is the memory of tasks that can't continue.
package struct TaskReach {
  /// What is known about a task.
  package enum Outlook: Equatable, Sendable {
    /// It runs, or something may let it continue.
    case open
    /// Nothing has its continuation.
    case lost
    /// Only the task itself has its continuation, or a stream does that only the task keeps alive.
    case itself(isStream: Bool)
    /// It waits for a task with another outlook than `open`.
    case dependent
    /// It waits for the end of a task that waits for it, directly or through others.
    case deadlocked
  }

  /// The reasons why the search isn't possible.
  package enum Refusal: Error, Equatable, Sendable {
    /// The blocks of the allocator aren't known.
    case allocator
    /// The kernel may have addresses that can't be read.
    case kernel
    case memory
    case time
  }

  /// The outlooks of the tasks, in the order of the census. Nil if only the stack of a thread that
  /// runs leads to a task, or what functions that have returned left there.
  package let outlooks: [Outlook?]
  /// A Boolean value that indicates whether no thread can have an address where it wasn't looked
  /// for: in a register of a thread that is in code of the program.
  package let isComplete: Bool
}

extension TaskReach {
  /// Searches the memory of this process.
  ///
  /// - Parameters:
  ///   - tasks: All tasks of the process.
  ///   - snapshot: A copy of the memory. It is made before the tasks are listed, because the list
  ///     has their addresses.
  ///   - deadline: The end of the search, in nanoseconds of the monotonic clock.
  package init(
    _ tasks: [TaskRecord], in graph: ReferenceGraph, _ snapshot: MemorySnapshot, deadline: Int
  ) throws(Refusal) {
    let heap = graph.heap
    let isInTime: @Sendable () -> Bool = { LogClock.monotonic() < deadline }
    let values = KernelValues()
    guard !values.areSomeUnknown else { throw .kernel }
    let blocks: HeapBlocks
    do throws(HeapBlocks.Failure) {
      blocks = try HeapBlocks(
        .references, of: snapshot, heap.map, blockClass: heap.blockClass, isInTime: isInTime)
      // Another allocator can be loaded before the C library's own.
      guard blocks.block(at: heap.block) != nil else { throw .unknownAllocator }
      heap.blocks = blocks
    } catch {
      switch error {
      case .limit: throw isInTime() ? .memory : .time
      case .unknownAllocator, .unknownVersion: throw .allocator
      }
    }
    let search = TaskReachSearch(tasks, graph, blocks, snapshot)
    guard search.run(values.addresses, isInTime: isInTime) else { throw .time }
    outlooks = search.outlooks
    isComplete = !Self.hasHiddenRegisters(heap, snapshot)
  }

  /// Reports whether another thread is in code of the program. Only the kernel knows the contents
  /// of its registers.
  private static func hasHiddenRegisters(_ heap: Heap, _ snapshot: MemorySnapshot) -> Bool {
    guard let program = ProcFile.target(ofLink: "/proc/self/exe") else { return true }
    let code = heap.map.parts.filter { $0.use == .code && $0.path == program }
    return heap.map.parts.contains { part in
      guard part.use == .stack, !part.contains(snapshot.stackStart) else { return false }
      return code.contains { area in
        snapshot.words(in: part.start..<part.end, from: area.start..<area.end, ReturnAddress.mask)
          .contains { ReturnAddress.isOne($0, heap.memory) }
      }
    }
  }
}

/// Recognizes return addresses, which only functions that are being called have on the stack.
private enum ReturnAddress {
  /// The size of the code that starts the program and calls `main`, in bytes.
  private static let startSize: UInt = 64
  /// The maximum size of an instruction that calls an address from a register or from memory.
  private static let maxCallSize = 7
  /// The bits of an address. On ARM64, functions can sign the return address that they save above
  /// them.
  #if arch(arm64)
    static let mask: UInt = (1 << 48) - 1
  #else
    static let mask = UInt.max
  #endif

  static func isOne(_ address: UInt, _ memory: ProcessMemory) -> Bool {
    let start = trace_program_start()
    guard address &- start >= startSize else { return false }
    #if arch(x86_64)
      return withUnsafeTemporaryAllocation(byteCount: maxCallSize, alignment: 1) { bytes in
        guard let first = bytes.baseAddress,
          memory.read(address &- UInt(maxCallSize), into: first, count: maxCallSize)
        else { return true }
        // `call` with an offset of four bytes, or with an operand of one byte or more.
        return bytes[maxCallSize - 5] == 0xE8 || bytes.dropLast().contains(0xFF)
      }
    #else
      guard address & 3 == 0 else { return false }
      guard let call = memory.half(address &- 4) else { return true }
      // `bl`, and `blr` with an address that is signed or not.
      return call & 0xFC00_0000 == 0x9400_0000 || call & 0xFFFF_FC1F == 0xD63F_0000
        || call & 0xFEFF_F800 == 0xD63F_0800
    #endif
  }
}

/// The state of a search for the tasks that can continue.
private final class TaskReachSearch {
  /// A word that is the address of a task.
  private struct Hit {
    let task: Int
    /// The block with the word, or nil if it isn't in a block.
    let block: Int?
  }

  let tasks: [TaskRecord]
  let waits: TaskWaits
  let graph: ReferenceGraph
  let blocks: HeapBlocks
  let snapshot: MemorySnapshot
  /// The indices of the children of each task.
  let children: [[Int]]
  let parents: [Int?]
  /// The indices of the tasks, by their addresses.
  private let indices: [UInt: Int]
  /// The blocks of each task, and the tasks of these blocks.
  private var memory: [[Int]]
  private var owners: [Int: Int] = [:]
  /// The words in blocks that weren't noted yet.
  private var hits: [Hit] = []
  /// Whether each task may be reached: by something that may have its continuation, and by
  /// something that can cancel it.
  private var isTouched: [Bool]
  private var isHeld: [Bool]
  private let hasHandler: [Bool]
  private(set) var isOpen: [Bool]
  private(set) var outlooks: [TaskReach.Outlook?] = []

  init(
    _ tasks: [TaskRecord], _ graph: ReferenceGraph, _ blocks: HeapBlocks, _ snapshot: MemorySnapshot
  ) {
    self.tasks = tasks
    self.graph = graph
    self.blocks = blocks
    self.snapshot = snapshot
    waits = TaskWaits(tasks)
    let waits = waits
    let parents = tasks.map { $0.parent.flatMap { waits.index(ofTaskAt: $0) } }
    var children = tasks.map { _ in [Int]() }
    for (index, parent) in parents.enumerated() {
      if let parent { children[parent].append(index) }
    }
    self.parents = parents
    self.children = children
    isTouched = tasks.map { _ in false }
    isHeld = isTouched
    isOpen = isTouched
    let records = TaskStatusRecords(snapshot)
    hasHandler = tasks.map { !$0.status.isCancelled && records.hasHandler($0) }
    indices = Dictionary(
      tasks.indices.map { (tasks[$0].address, $0) }, uniquingKeysWith: { first, _ in first })
    memory = tasks.map { _ in [] }
    for index in tasks.indices { own(index) }
    for index in tasks.indices {
      records.clearLinks(of: tasks[index], children: children[index].map { tasks[$0].address })
    }
    let owned = Set(owners.keys)
    for block in owned.union(blocks.sources(of: owned)) {
      for place in blocks.words(of: block) {
        if let task = task(at: place) { hits.append(Hit(task: task, block: block)) }
      }
    }
  }

  /// Returns the task whose address a word of the copy is.
  private func task(at place: UInt) -> Int? {
    snapshot.word(place).flatMap { indices[$0 & ObjectLayout.addressBits] }
  }

  /// Finds the blocks with the memory of a task, and clears what isn't in use.
  private func own(_ index: Int) {
    let task = tasks[index]
    guard let first = blocks.block(around: task.address) else { return }
    // A child of `async let` is in the memory of its parent.
    if blocks.range(of: first).lowerBound == task.address { assign(first, toTask: index) }
    var open = [blocks.range(of: first).clamped(to: task.address..<UInt.max)]
    while let range = open.popLast() {
      for address in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
        guard let word = snapshot.word(address) else { continue }
        if slab(at: address) != nil { clearUnused(at: address, until: range.upperBound) }
        guard let block = blocks.block(at: word), slab(at: word) != nil, owners[block] == nil
        else { continue }
        assign(block, toTask: index)
        open.append(blocks.range(of: block))
      }
    }
  }

  private func assign(_ block: Int, toTask index: Int) {
    guard owners[block] == nil else { return }
    owners[block] = index
    memory[index].append(block)
    blocks.makeLeaf(block)
  }

  private let slabMark = trace_task_slab()

  /// Returns the number of bytes in use, if a part of the memory of a task starts at an address.
  private func slab(at address: UInt) -> (used: UInt, capacity: UInt)? {
    guard slabMark != 0, address & 7 == 0, snapshot.word(address) == slabMark,
      let sizes = snapshot.word(address &+ SlabLayout.capacity)
    else { return nil }
    let (capacity, used) = (sizes & 0xFFFF_FFFF, sizes >> 32)
    return used <= capacity ? (used, capacity) : nil
  }

  private func clearUnused(at address: UInt, until end: UInt) {
    guard let (used, capacity) = slab(at: address) else { return }
    let start = address &+ SlabLayout.header
    guard start &+ capacity <= end else { return }
    snapshot.clear((start &+ used &+ 7) & ~7..<start &+ capacity)
  }

  // MARK: The search

  /// Returns false if time runs out.
  func run(_ values: [UInt], isInTime: () -> Bool) -> Bool {
    let stacks = graph.heap.map.parts.filter(\.hasRemains).map { $0.start..<$0.end }
    func hasRemains(_ range: Range<UInt>) -> Bool { stacks.contains { $0.overlaps(range) } }
    for range in blocks.others where !hasRemains(range) {
      guard isInTime() else { return false }
      note(hitsOutsideOfBlocks(in: range))
    }
    note(
      values.compactMap { value in
        indices[value].map { Hit(task: $0, block: nil) }
      })
    blocks.mark(from: values)
    do throws(HeapBlocks.Failure) {
      try blocks.markOthers(where: { !hasRemains($0) })
    } catch { return false }
    guard openTasks(isInTime) else { return false }
    let isKnown = isOpen
    for range in stacks {
      guard isInTime() else { return false }
      note(hitsOutsideOfBlocks(in: range))
      blocks.mark(from: range)
    }
    guard stacks.isEmpty || openTasks(isInTime) else { return false }
    outlooks = tasks.indices.map { index in
      if isKnown[index] { .open } else { isOpen[index] ? nil : .dependent }
    }
    for index in tasks.indices where isDeadlocked(index) { outlooks[index] = .deadlocked }
    for index in tasks.indices where !isOpen[index] {
      guard case .continuation? = tasks[index].wait else { continue }
      guard isInTime() else { return false }
      outlooks[index] = ownHold(index).map { .itself(isStream: $0) } ?? .lost
    }
    return isInTime()
  }

  /// Finds the tasks that can continue, beginning with what is marked. Returns false if time runs
  /// out.
  private func openTasks(_ isInTime: () -> Bool) -> Bool {
    noteHits()
    while let index = tasks.indices.first(where: { !isOpen[$0] && mayContinue($0) }) {
      guard isInTime() else { return false }
      isOpen[index] = true
      memory[index].forEach(blocks.follow)
      noteHits()
    }
    return true
  }

  /// Reports whether something may let a task continue.
  private func mayContinue(_ index: Int) -> Bool {
    let task = tasks[index]
    if task.status.isRunning || task.status.isEnqueued || mayBeCanceled(index) { return true }
    guard isSame(task) else { return true }
    switch task.wait {
    case .continuation: return isTouched[index] || children[index].contains { isOpen[$0] }
    case .task(let address):
      guard let awaited = waits.index(ofTaskAt: address) else { return true }
      return isOpen[awaited] || children[index].contains { isOpen[$0] }
    case .group: return children[index].isEmpty || children[index].contains { isOpen[$0] }
    case .executor, nil: return true
    }
  }

  /// Reports whether a task was the same at the time of the copy as it is now.
  private func isSame(_ task: TaskRecord) -> Bool {
    return snapshot.word(task.address &+ TaskLayout.status).map { TaskStatus($0) } == task.status
      && snapshot.word(task.address &+ TaskLayout.resumeFunction) == task.code.first
  }

  /// Reports whether a cancellation handler of a task may be called.
  private func mayBeCanceled(_ index: Int) -> Bool {
    guard hasHandler[index] else { return false }
    var next: Int? = index
    var left = tasks.count
    while let at = next, left > 0 {
      if isHeld[at] || isOpen[at] { return true }
      next = parents[at]
      left -= 1
    }
    return false
  }

  /// Reports whether a task that can't continue waits for itself, directly or through others.
  private func isDeadlocked(_ index: Int) -> Bool {
    guard !isOpen[index] else { return false }
    var seen: Set<Int> = []
    var open = waits.waits(of: index)
    while let next = open.popLast() {
      if next == index { return true }
      if seen.insert(next).inserted { open += waits.waits(of: next) }
    }
    return false
  }

  /// Returns the words of a range that are addresses of tasks.
  private func hitsOutsideOfBlocks(in range: Range<UInt>) -> [Hit] {
    guard let lowest = indices.keys.min(), let highest = indices.keys.max() else { return [] }
    var found: [Hit] = []
    blocks.forEachPart(of: range) { part in
      blocks.forEachCopy(of: part) { words, count in
        var index = 0
        while true {
          index = trace_find_in_range(words, index, count, lowest, highest &+ 1)
          guard index < count else { return }
          if let task = indices[words[index]] { found.append(Hit(task: task, block: nil)) }
          index += 1
        }
      }
    }
    return found
  }

  /// Notes the words in blocks to which something leads.
  private func noteHits() {
    let reached = hits.partition { hit in hit.block.map(isFollowed) ?? true }
    note(Array(hits[reached...]))
    hits.removeSubrange(reached...)
  }

  private func isFollowed(_ block: Int) -> Bool {
    owners[block].map { isOpen[$0] } ?? blocks.isMarked(block)
  }

  /// Notes words that lead to tasks.
  private func note(_ hits: [Hit]) {
    for hit in hits {
      let owner = hit.block.flatMap { owners[$0] }
      guard owner != hit.task else { continue }
      isHeld[hit.task] = true
      guard !isTouched[hit.task] else { continue }
      if owner == nil, isHandle(hit) { continue }
      isTouched[hit.task] = true
    }
  }

  /// Reports whether a word is in a property whose declared type is `Task`. Such a value keeps the
  /// task, but can't resume it.
  private func isHandle(_ hit: Hit) -> Bool {
    guard let block = hit.block,
      let object = graph.heap.object(at: blocks.range(of: block).lowerBound)
    else { return false }
    let task = tasks[hit.task].address
    let handles = graph.heap.references(from: object).count {
      $0.target == task && $0.isCertain && TaskHandle.isType($0.type)
    }
    let words = blocks.words(of: block).count { self.task(at: $0) == hit.task }
    return handles >= words
  }

  /// Returns nil if the memory of a task doesn't lead to its own continuation. Otherwise, returns
  /// whether only streams have the continuation.
  private func ownHold(_ index: Int) -> Bool? {
    blocks.unmark()
    owners.keys.forEach(blocks.makeLeaf)
    memory[index].forEach(blocks.follow)
    let holders = hits.compactMap { hit -> Int? in
      guard hit.task == index, let block = hit.block, owners[block] == nil,
        blocks.isMarked(block), !isHandle(hit)
      else { return nil }
      return block
    }
    return holders.isEmpty ? nil : holders.allSatisfy(isOfStream)
  }

  /// Reports whether a block is the storage of a stream, or one of its arrays.
  private func isOfStream(_ block: Int) -> Bool {
    if isStorageOfStream(block) { return true }
    let sources = blocks.sources(of: [block]).filter { owners[$0] == nil && blocks.isMarked($0) }
    return !sources.isEmpty && sources.allSatisfy(isStorageOfStream)
  }

  private func isStorageOfStream(_ block: Int) -> Bool {
    guard let object = graph.heap.object(at: blocks.range(of: block).lowerBound),
      object.kind == .instance
    else { return false }
    return StreamLayout.isStreamStorage(Metadata.type(at: object.metadata))
  }
}

/// The declared types of values that keep a task but can't resume it.
private enum TaskHandle {
  /// Reports whether a type is `Task`, or an optional one.
  static func isType(_ address: UInt) -> Bool {
    guard address != 0 else { return false }
    let name = String(describing: Metadata.type(at: address))
    return name.hasPrefix("Task<") || name.hasPrefix("Optional<Task<")
      || name == "Builtin.NativeObject"
  }
}

/// A reader of the records in the status of a task, in a snapshot.
private struct TaskStatusRecords {
  private static let maxRecords = 64
  /// The maximum number of bytes of a record with the addresses of children.
  private static let maxRecordSize: UInt = 64
  private let snapshot: MemorySnapshot

  init(_ snapshot: MemorySnapshot) { self.snapshot = snapshot }

  private typealias Record = (kind: TaskRecordKind?, address: UInt)

  /// Returns the records of a task, and whether these are all.
  private func records(of task: TaskRecord) -> (list: [Record], isWhole: Bool) {
    var records: [Record] = []
    var next = snapshot.word(task.address &+ TaskLayout.statusRecords)
    while let record = next, record != 0, records.count < Self.maxRecords,
      let flags = snapshot.word(record)
    {
      records.append((TaskRecordKind(rawValue: UInt8(truncatingIfNeeded: flags)), record))
      next = snapshot.word(record &+ TaskLayout.nextRecord)
    }
    return (records, next == 0)
  }

  /// Reports whether a task has code that runs when it is canceled. A list that can't be read to
  /// its end may have some.
  func hasHandler(_ task: TaskRecord) -> Bool {
    let (list, isWhole) = records(of: task)
    return !isWhole || list.contains { $0.kind == .cancellationHandler }
  }

  /// Clears the words with which the runtime links parents and children. They aren't continuations.
  func clearLinks(of task: TaskRecord, children: [UInt]) {
    if task.parent != nil {
      snapshot.clear(task.address &+ TaskLayout.parent..<task.address &+ TaskLayout.parent &+ 16)
    }
    for record in records(of: task).list where record.kind == .child || record.kind == .group {
      let content = record.address &+ TaskLayout.recordContent
      for address in stride(from: content, to: record.address &+ Self.maxRecordSize, by: 8) {
        guard let word = snapshot.word(address), children.contains(word) else { continue }
        snapshot.clear(address..<address &+ 8)
      }
    }
  }
}
