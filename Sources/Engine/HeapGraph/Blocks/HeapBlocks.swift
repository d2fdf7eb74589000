package import CRuntime.Heap
import CRuntime.OwnProcess
package import ProcessMemory
import SwiftRuntime
import SystemLibrary

/// The blocks of memory in a process, and the references between them.
///
/// The memory is read once, part by part, and isn't kept: for each block there are its place, its
/// state and the numbers of the blocks to which its words lead. That takes about a seventh of the
/// heap's size.
package final class HeapBlocks {
  /// What a block is.
  package enum Listing {
    /// A block of glibc's allocator.
    case chunks(Contents)
    /// An object, or what is between two objects, which isn't followed. The allocator can be any.
    case objects
    /// A block of another allocator, whose own data describe it.
    case described(BlockList)
  }

  /// What is noted about the contents of blocks.
  package enum Contents { case nothing, types, references }

  /// The reason why blocks can't be listed.
  package enum Failure: Error {
    /// The time or the memory ran out.
    case limit
    /// The allocator isn't glibc's.
    case unknownAllocator
    /// The version of glibc isn't a known one, so free blocks can't be told from blocks in use.
    case unknownVersion
  }

  private static let bufferSize = 4 << 20
  private static let typeCapacity = 1 << 18
  /// The number of sizes that are remembered.
  private static let sizeCapacity = 1 << 10
  /// The size of the copy of the bits of a dictionary, in words: 8 million buckets.
  private static let bucketCapacity = 1 << 17

  package let memory: ProcessMemory
  let map: MemoryMap
  let isInTime: () -> Bool
  private let classify: (UInt, UInt) -> heap_type
  private let contained: (UInt) -> heap_contained
  private let references: (UInt) -> heap_strong
  var heap = CRuntime.heap()
  private var regions: UnsafeMutableBufferPointer<heap_region> = .allocate(capacity: 0)
  /// The memory outside of blocks whose words can be references.
  var others: [Range<UInt>] = []
  /// The blocks that have a region of their own, by region.
  var mapped: [Int] = []
  var arenas: [UInt] = []
  var arenaLayout: ArenaLayout?
  /// Whether the lists of free blocks could be read, so that blocks in use are known.
  package private(set) var knowsFreeBlocks = false
  private var nextBit: UInt64 = 0
  private var allStarts: UnsafeMutablePointer<UInt32>?
  private var tables: [(start: UnsafeMutableRawPointer, size: Int)] = []

  /// Lists the blocks, and notes the references between them.
  ///
  /// - Parameters:
  ///   - map: The parts of the memory, with variables and stacks marked.
  ///   - listing: What a block is.
  ///   - isRunning: Whether threads of the process run.
  ///   - blockClass: The class of C closures on the heap, or nil if the program doesn't have any.
  ///   - slabMark: The first word of slabs, or 0 if the layout of tasks isn't known.
  ///   - classify: Returns what is known about blocks that begin with two words.
  ///   - contained: Returns what is known about a value of a type in an existential container.
  ///   - references: Returns the strong references of an object, if they depend on the object.
  package init(
    _ memory: ProcessMemory, _ map: MemoryMap, _ listing: Listing, isRunning: Bool,
    isInTime: @escaping () -> Bool,
    blockClass: UInt?, slabMark: UInt, classify: @escaping (UInt, UInt) -> heap_type,
    contained: @escaping (UInt) -> heap_contained,
    references: @escaping (UInt) -> heap_strong
  ) throws(Failure) {
    self.memory = memory
    self.map = map
    self.isInTime = isInTime
    self.classify = classify
    self.contained = contained
    self.references = references
    guard let buffer = table(UInt8.self, Self.bufferSize),
      let page = table(UInt.self, Int(ProcessMemory.pageSize) / 8)
    else { throw .limit }
    heap.page_words = page
    heap.page = 1
    heap.is_running = isRunning
    heap.buffer = UnsafeMutableRawPointer(buffer)
    heap.buffer_size = Self.bufferSize
    heap.context = Unmanaged.passUnretained(self).toOpaque()
    heap.read = { context, address, target, count in
      guard let context, let target else { return 0 }
      let blocks = Unmanaged<HeapBlocks>.fromOpaque(context).takeUnretainedValue()
      return blocks.memory.copy(from: address, to: target, count: count)
    }
    heap.classify = { context, first, second in
      guard let context else { return heap_type() }
      return Unmanaged<HeapBlocks>.fromOpaque(context).takeUnretainedValue()
        .classify(first, second)
    }
    heap.describe_contained = { context, type in
      guard let context else {
        return heap_contained(size: -1, is_inline: false, strong: heap_strong())
      }
      return Unmanaged<HeapBlocks>.fromOpaque(context).takeUnretainedValue().contained(type)
    }
    heap.describe_object = { context, address in
      guard let context else { return heap_strong() }
      return Unmanaged<HeapBlocks>.fromOpaque(context).takeUnretainedValue().references(address)
    }
    heap.lowest_metadata = MemoryMap.lowestAddress
    heap.end_of_metadata = map.endOfAddresses
    heap.block_class = blockClass ?? 0
    heap.slab_mark = slabMark
    try prepareBlocks()
    try prepareTypes()
    switch listing {
    case .chunks(.nothing):
      use(try chunkRegions())
      return
    case .chunks:
      use(try chunkRegions())
      try freeCachedBlocks()
      freeCachedItems()
      try noteTablesOfRuntime()
    case .objects:
      try prepareSlabs()
      use(try objectRegions())
      try noteCaches()
      noteCachedItems()
    case .described(let list):
      use(try regions(of: list))
      noteUnused(of: list)
      freeCachedItems()
      try noteTablesOfRuntime()
    }
    if case .chunks(.types) = listing {
      for index in 0..<heap.region_count { heap_note_objects(&heap, index) }
    } else {
      try readReferences()
    }
  }

  #if os(Linux)
    /// Lists the places of the blocks of glibc's allocator in this process. Those in the caches of
    /// threads count as used.
    ///
    /// - Parameter sample: An address that the allocator has returned. Another allocator can be
    ///   loaded before the C library's own.
    /// - Returns: Nil if the allocator isn't glibc's, or if there isn't enough memory.
    convenience init?(placesIn memory: ProcessMemory, _ map: MemoryMap, sample: UInt) {
      do {
        try self.init(
          memory, map, .chunks(.nothing), isRunning: true, isInTime: { true }, blockClass: nil,
          slabMark: 0, classify: { _, _ in heap_type() },
          contained: { _ in heap_contained() }, references: { _ in heap_strong() })
      } catch {
        return nil
      }
      guard let block = block(at: sample), isUsed(block) else { return nil }
    }

    /// Lists the blocks of glibc's allocator in a copy of this process's memory.
    convenience init(
      _ contents: Contents, of snapshot: MemorySnapshot, _ map: MemoryMap, blockClass: UInt,
      isInTime: @escaping @Sendable () -> Bool
    ) throws(Failure) {
      guard let memory = ProcessMemory(snapshot) else { throw .limit }
      let files = ProcessFiles(ofProcess: getpid(), map)
      let types = ObjectTypes(memory, MetadataReader(memory, map)) {
        files.sections($0, isInTime: isInTime)
      }
      // The parts of the memory were copied one after the other.
      try self.init(
        memory, map, .chunks(contents), isRunning: true, isInTime: isInTime,
        blockClass: blockClass, slabMark: trace_task_slab(),
        classify: types.classification, contained: types.contained,
        references: types.strongReferences)
      heap.ignores_insides = true
      guard knowsFreeBlocks else { throw .unknownVersion }
    }
  #endif

  deinit {
    for (start, size) in tables { ProcessMemory.unmap(start, size) }
    regions.deallocate()
  }

  func table<Value>(
    _ type: Value.Type, _ count: Int
  ) -> UnsafeMutablePointer<Value>? {
    let size = max(1, count) * MemoryLayout<Value>.stride
    guard let start = ProcessMemory.map(size) else { return nil }
    tables.append((start, size))
    return start.assumingMemoryBound(to: type)
  }

  // MARK: Blocks

  private func use(_ found: [heap_region]) {
    regions.deallocate()
    regions = .allocate(capacity: max(1, found.count))
    for (index, region) in found.enumerated() { regions.initializeElement(at: index, to: region) }
    heap.regions = UnsafePointer(regions.baseAddress)
    heap.region_count = found.count
    heap.starts = allStarts
    heap_rank(&heap)
  }

  /// The maximum number of regions. The tables have room for the ends of so many.
  static let maxRegions = 1 << 16

  /// Maps the tables of the blocks. They get memory only where they are used.
  private func prepareBlocks() throws(Failure) {
    let size = map.parts.reduce(0) { $0 + ($1.use == .heap ? Int($1.end &- $1.start) : 0) }
    let words = size / (16 * 64) + 2 * Self.maxRegions
    let capacity = size / 16 + Self.maxRegions
    guard let bits = table(UInt64.self, words), let ranks = table(UInt32.self, words),
      let starts = table(UInt32.self, capacity + 1), let states = table(UInt8.self, capacity + 1)
    else { throw .limit }
    heap.bits = bits
    heap.ranks = ranks
    (allStarts, heap.states) = (starts, states)
    heap.capacity = capacity
  }

  /// Gives a region its place in the tables.
  func add(_ region: inout heap_region) {
    region.bit = nextBit
    region.first = UInt32(heap.count)
    reserve(region)
    heap.starts = allStarts
  }

  /// Reserves the place of the last region in the tables, up to its end.
  func reserve(_ region: heap_region) {
    nextBit = region.bit + (UInt64(region.end &- region.start) / 16 + 64 + 63) / 64 * 64
  }

  /// Notes which blocks are free although their chunks are marked as used: the rest of each arena,
  /// and the blocks in fast bins and in the caches of threads.
  private func freeCachedBlocks() throws(Failure) {
    let lists = FreeLists(blocks: self, memory: memory, isRunning: heap.is_running)
    for arena in arenas {
      if let top = memory.word(arena &- ArenaLayout.top), let block = block(at: top &+ Chunk.header)
      {
        free(block)
      }
      if let arenaLayout { lists.freeFastBins(arenaLayout, before: arena) }
    }
    guard let caches = lists.freeCaches(isInTime: isInTime) else { throw .limit }
    heap.free_key = caches.key
    knowsFreeBlocks = caches.isKnown && arenaLayout != nil
  }

  /// Returns the blocks in use with a size.
  func usedBlocks(_ size: UInt) -> some Sequence<Int> {
    sequence(state: -1) { block in
      block = heap_next_of_size(&self.heap, block + 1, size)
      return block >= 0 ? block : nil
    }
  }

  /// Marks a block as free.
  func free(_ block: Int) { heap.states[block] = 0 }

  /// Marks a block as one without references.
  func makeLeaf(_ block: Int) {
    heap.states[block] = UInt8(heap_used.rawValue | heap_leaf.rawValue)
  }

  // MARK: References

  /// The maximum number of tables of the Swift runtime.
  private static let maxTables = 4096

  /// Notes which parts of the tables of the Swift runtime are in use. The rest has old words.
  private func noteTablesOfRuntime() throws(Failure) {
    guard let partial = table(heap_size.self, Self.maxTables) else { throw .limit }
    heap.partial = partial
    heap.partial_capacity = Self.maxTables
    let libraries = ["/libswiftCore.", "/libswift_Concurrency."]
    // A program that is linked statically with the runtime has its variables.
    let isShared = map.parts.contains { $0.path?.contains(libraries[0]) == true }
    let program = memory.process.program
    var path = ""
    for part in map.parts {
      guard isInTime() else { throw .limit }
      // The variables without an initial value come after the file.
      if let file = part.path { path = file }
      guard part.use == .variables,
        isShared ? libraries.contains(where: path.contains) : path == program
      else { continue }
      forEachCopy(of: part.start..<part.end) { heap_note_tables(&heap, $0, $1, isShared) }
    }
  }

  /// Prepares the tables of types and of sizes, which lists of objects need, too.
  private func prepareTypes() throws(Failure) {
    guard let types = table(heap_type.self, Self.typeCapacity),
      let order = table(UInt32.self, Self.typeCapacity / 2 + 1),
      let sizes = table(heap_size.self, Self.sizeCapacity)
    else { throw .limit }
    heap.types = types
    heap.type_capacity = Self.typeCapacity
    heap.type_order = order
    heap.sizes = sizes
    heap.size_capacity = Self.sizeCapacity
  }

  private static let maxSlabs = 1 << 20

  private func prepareSlabs() throws(Failure) {
    guard let slabs = table(UInt.self, Self.maxSlabs) else { throw .limit }
    heap.slabs = slabs
    heap.slab_capacity = Self.maxSlabs
    heap.task_size = { context, address in
      guard let context else { return 0 }
      return Unmanaged<HeapBlocks>.fromOpaque(context).takeUnretainedValue()
        .taskSizes.size(ofTaskAt: address) ?? 0
    }
  }

  private func readReferences() throws(Failure) {
    let size = regions.prefix(heap.region_count).reduce(0) { $0 + Int($1.end &- $1.start) }
    let capacity = min(size / 8 + Self.bufferSize, Int(UInt32.max))
    guard let edges = table(UInt32.self, capacity),
      let starts = table(UInt32.self, heap.count + 1), let open = table(UInt32.self, heap.count),
      let buckets = table(UInt64.self, Self.bucketCapacity),
      let collections = table(UInt32.self, Self.maxCollections),
      let unexplained = table(Int32.self, heap.count),
      let held = table(UInt64.self, heap.count / 64 + 1),
      let garbage = table(UInt64.self, heap.count / 64 + 1),
      let frames = table(UInt64.self, heap.count / 64 + 1)
    else { throw .limit }
    (heap.unexplained, heap.held) = (unexplained, held)
    (heap.garbage, heap.frames) = (garbage, frames)
    heap.collections = collections
    heap.collection_capacity = Self.maxCollections
    heap.edges = edges
    heap.edge_capacity = capacity
    heap.edge_starts = starts
    heap.open = open
    heap.buckets = buckets
    heap.bucket_capacity = Self.bucketCapacity
    heap_note_slabs(&heap)
    for index in 0..<heap.region_count {
      guard isInTime(), heap_read_region(&heap, index) else { throw .limit }
    }
  }

  /// Finds the objects all of whose strong references come from such objects. Nothing is alive
  /// because of an old word in a stack, in a register or in memory that isn't in use.
  ///
  /// What variables and blocks of C lead to is alive, because a program can wait for a callback
  /// with an object that only retains itself.
  package func findGarbage(_ kernelValues: [UInt]) throws(Failure) {
    heap.is_counting = true
    heap.ignores_insides = true
    defer {
      heap.is_counting = false
      heap.ignores_insides = false
    }
    for range in others where use(of: range) == .variables {
      guard isInTime() else { throw .limit }
      mark(from: range)
    }
    markThreadDescriptions()
    mark(from: kernelValues)
    heap_mark_unexplained(&heap)
    heap_note_garbage(&heap)
    for index in 0..<heap.collection_count {
      heap.states[Int(heap.collections[index])] &= ~UInt8(heap_changing.rawValue)
    }
    heap.collection_count = 0
  }

  /// Marks everything to which the arguments and the keys of threads lead. They are in stacks, but
  /// the C library uses them later.
  private func markThreadDescriptions() {
    for range in map.threadDescriptions { mark(readable: range, .variables) }
  }

  /// Returns whether a block is an object found by `findGarbage`.
  package func isGarbage(_ block: Int) -> Bool {
    heap.garbage[block / 64] >> UInt64(block % 64) & 1 != 0
  }

  /// Makes the objects found by `findGarbage` unreachable.
  package func unmarkGarbage() { heap_unmark_garbage(&heap) }

  /// The maximum number of collections to which words of stacks lead.
  private static let maxCollections = 1 << 20

  private(set) lazy var pages = PageTable(memory.process)
  private lazy var taskSizes = TaskSizes(memory, map, isInTime: isInTime)

  /// Marks everything to which the words of a range lead, as long as there is time.
  func mark(from range: Range<UInt>) {
    let use = use(of: range)
    forEachPart(of: range) { mark(readable: $0, use) }
  }

  /// Calls `body` with the parts of a range that have content, as long as there is time.
  func forEachPart(of range: Range<UInt>, _ body: (Range<UInt>) -> Void) {
    guard let pages else { return body(range) }
    pages.forEachPart(of: range, while: isInTime, body)
  }

  func use(of range: Range<UInt>) -> MemoryMap.Use? { map.part(of: range.lowerBound)?.use }

  private func mark(readable range: Range<UInt>, _ use: MemoryMap.Use?) {
    let kind =
      switch use {
      case .stack: heap_words_of_stack
      case .heap: heap_words_of_unknown
      default: heap_words_of_memory
      }
    forEachCopy(of: range) { words, count in
      if use == .heap { strayObjects += heap_count_objects(&heap, words, count) }
      heap_mark_words(&heap, words, count, kind)
      heap_mark_all(&heap)
    }
  }

  /// Calls `body` with copies of the words of a range, as long as there is time. Pages that can't
  /// be read are left out.
  func forEachCopy(
    of range: Range<UInt>, _ body: (_ words: UnsafePointer<UInt>, _ count: Int) -> Void
  ) {
    guard let buffer = heap.buffer else { return }
    let page = ProcessMemory.pageSize
    var address = (range.lowerBound &+ 7) & ~7
    while address < range.upperBound, isInTime() {
      let count = min(Self.bufferSize, Int(range.upperBound - address))
      let copied = max(0, memory.copy(from: address, to: buffer, count: count))
      body(buffer.assumingMemoryBound(to: UInt.self), copied / 8)
      address =
        copied == count ? address &+ UInt(count) : (address &+ UInt(copied) &+ page) & ~(page - 1)
    }
  }

  /// Marks a block as one whose references are followed, and everything to which it leads.
  func follow(_ block: Int) {
    heap.states[block] &= ~UInt8(heap_leaf.rawValue | heap_marked.rawValue)
    mark(from: [heap_start(&heap, block)])
  }

  /// Removes all marks.
  func unmark() {
    for block in 0..<heap.count { heap.states[block] &= ~UInt8(heap_marked.rawValue) }
  }

  /// Marks everything to which values lead.
  package func mark(from values: [UInt], _ kind: heap_words = heap_words_of_unknown) {
    values.withUnsafeBufferPointer { heap_mark_words(&heap, $0.baseAddress, $0.count, kind) }
    heap_mark_all(&heap)
  }

  /// Marks everything that the collections in `heap.collections` lead to, including their unused
  /// capacity, because code may be adding elements to them.
  private func markWholeCollections() {
    let collections = UnsafeBufferPointer(start: heap.collections, count: heap.collection_count)
    for block in collections { mark(readable: range(of: Int(block)), nil) }
  }

  /// Marks the whole contents of the blocks that contain stack pointers. A program can use any
  /// memory as a stack.
  package func markBlocks(around pointers: [UInt]) {
    for pointer in pointers {
      guard let block = block(around: pointer), isUsed(block) else { continue }
      mark(from: range(of: block))
    }
  }

  /// Marks everything that is not in blocks, and the blocks with a mapping of their own that
  /// nothing points to: they may be something else.
  package func markOthers(
    where isRoot: (Range<UInt>) -> Bool = { _ in true }
  ) throws(Failure) {
    for range in others where isRoot(range) {
      guard isInTime() else { throw .limit }
      mark(from: range)
    }
    markThreadDescriptions()
    for index in mapped {
      let block = Int(regions[index].first)
      guard heap.states[block] & UInt8(heap_pointed.rawValue) == 0 else { continue }
      mark(from: [heap_start(&heap, block)])
    }
    markWholeCollections()
  }

  // MARK: Asking

  /// The number of objects in memory that isn't glibc's.
  package private(set) var strayObjects = 0

  var count: Int { heap.count }

  /// The number of objects, and the size of all blocks in use.
  package var counts: (objects: Int, bytes: Int) {
    let counts = heap_count(&heap)
    return (counts.objects, Int(counts.bytes))
  }

  /// Returns the block that begins at an address.
  package func block(at address: UInt) -> Int? {
    guard let block = block(around: address), heap_start(&heap, block) == address else {
      return nil
    }
    return block
  }

  /// Returns the block that contains an address.
  func block(around address: UInt) -> Int? {
    let block = heap_block(&heap, address)
    return block >= 0 ? block : nil
  }

  package func range(of block: Int) -> Range<UInt> {
    let start = heap_start(&heap, block)
    return start..<max(start, heap_end(&heap, block))
  }

  /// The addresses of the words of a block.
  func words(of block: Int) -> StrideTo<UInt> {
    let range = range(of: block)
    return stride(from: range.lowerBound, to: range.upperBound, by: 8)
  }

  /// Returns the blocks with references to some other blocks.
  func sources(of targets: Set<Int>) -> Set<Int> {
    var sources: Set<Int> = []
    for block in 0..<heap.count {
      let edges = Int(heap.edge_starts[block])..<Int(heap.edge_starts[block + 1])
      if edges.contains(where: { targets.contains(Int(heap.edges[$0] & ~heap_edge_into)) }) {
        sources.insert(block)
      }
    }
    return sources
  }

  package func isUsed(_ block: Int) -> Bool { heap.states[block] & UInt8(heap_used.rawValue) != 0 }

  /// Returns whether a block in use begins with an object.
  package func isObject(_ block: Int) -> Bool {
    heap.states[block] & UInt8(heap_object.rawValue) != 0
  }

  /// Whether the layout of tasks is known.
  package var knowsTasks: Bool { heap.slab_mark != 0 }

  /// Returns whether a block is a slab, a part of the memory of a task.
  package func isSlab(_ block: Int) -> Bool {
    heap.slab_mark != 0 && memory.word(heap_start(&heap, block)) == heap.slab_mark
  }

  package func isMarked(_ block: Int) -> Bool {
    heap.states[block] & UInt8(heap_marked.rawValue) != 0
  }

  /// Returns whether blocks in use that begin with an address are objects.
  package func isMetadata(_ address: UInt) -> Bool {
    heap.lowest_metadata..<heap.end_of_metadata ~= address && classify(address, 0).is_object
  }

  /// Calls `body` with the metadata, the number and the size of the objects of each type.
  package func forEachType(_ body: (UInt, Int, Int) -> Void) {
    for number in 0..<heap.type_count {
      let type = heap.types[Int(heap.type_order[number])]
      guard type.is_object else { continue }
      body(type.metadata, Int(type.count), Int(clamping: type.bytes))
    }
  }

  /// Marks everything to which memory leads that isn't an object, a slab or a C closure.
  package func markUnknown() { heap_mark_unused(&heap) }

  /// Returns the next unmarked block in use from an index on, or nil if there isn't one.
  package func nextUnreachable(from block: Int) -> Int? {
    let found = heap_next_unmarked(&heap, block)
    return found >= 0 ? found : nil
  }
}
