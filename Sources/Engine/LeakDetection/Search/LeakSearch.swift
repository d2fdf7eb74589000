#if os(Linux)
  import HeapGraph
  import CRuntime.Heap
  import SystemLibrary
  package import ProcessInspection
  import ProcessMemory
  import SwiftRuntime
  import Synchronization
  import TraceFormat
  import CRuntime.OwnProcess

  /// The reason why a process can't be searched.
  package enum LeakSearchFailure: Error, Equatable {
    /// The memory of the process can't be read.
    case unreadable
    /// The allocator is a sanitizer's.
    case sanitizer(ForeignAllocator)
    /// No object was recognized, so nothing is known about leaks.
    case noObjects
    /// Time or memory ran out.
    case limit
  }

  /// A search for the objects of a process that nothing can reach.
  ///
  /// The roots are all words of variables, stacks, registers and other memory outside of the
  /// allocator. The search follows all words of the blocks that it reaches, except for weak and
  /// unowned references. The program can no longer use or release a block that isn't reached,
  /// unless it stores the address in another form.
  package enum LeakSearch {
    /// What the files of a program say about all of its memory.
    private struct Program {
      /// The class of C closures on the heap.
      let blockClass: UInt?
      /// The allocator, or nil if it is glibc's.
      let allocator: ForeignAllocator?
      /// The first word of the slabs of tasks, or 0 if their layout isn't known.
      let slabMark: UInt

      /// Reads the files. Fails if the program has the allocator of a sanitizer.
      init(
        _ files: ProcessFiles, _ memory: ProcessMemory, deadline: Int
      ) throws(LeakSearchFailure) {
        let isInTime: @Sendable () -> Bool = { LogClock.monotonic() < deadline }
        allocator = ForeignAllocator.inUse(files, isInTime: isInTime)
        if let allocator, allocator.isSanitizer { throw .sanitizer(allocator) }
        blockClass = files.blockClass(isInTime: isInTime)
        let runtime = TaskCensus.Runtime(files, memory, isInTime: isInTime)
        slabMark = runtime.flatMap { $0.isLayoutKnown ? $0.slabMark : nil } ?? 0
      }
    }

    /// Searches a process.
    ///
    /// If threads of the process run during the search, it can miss references that they move. So
    /// it takes two passes, and a cycle only counts if both passes find it and if the retain counts
    /// of its objects show no other references.
    ///
    /// - Parameters:
    ///   - pass: The only pass if no thread runs. Otherwise the first or the second one.
    ///   - deadline: The end of the search, in nanoseconds of the monotonic clock.
    package static func search(
      _ process: Int32, _ threads: Threads, _ pass: SearchPass = .single, deadline: Int
    ) throws(LeakSearchFailure) -> LeakSearchResult {
      guard let map = MemoryMap(ofProcess: process),
        let memory = ProcessMemory(ofProcess: process, mappedBy: map)
      else { throw .unreadable }
      let program = try Program(
        ProcessFiles(ofProcess: process, map), memory, deadline: deadline)
      return try search(program, map, memory, threads, pass, deadline: deadline)
    }

    /// Searches the process that a core file describes.
    package static func search(
      _ inspected: InspectedCore, deadline: Int
    ) throws(LeakSearchFailure) -> LeakSearchResult {
      let core = inspected.file
      let map = MemoryMap(core)
      guard let memory = ProcessMemory(core) else { throw .limit }
      let program = try Program(
        ProcessFiles(of: .core(core), map), memory, deadline: deadline)
      let threads = core.notes.threads.map {
        Thread(stackPointer: $0.stackPointer, registers: $0.registers)
      }
      return try search(
        program, map, memory, Threads(threads, areSomeUnknown: false), .single,
        deadline: deadline)
    }

    /// The time between the two passes over a process that runs, in microseconds.
    private static let pause: UInt32 = 200_000

    /// Searches a process that continues to run. If none of its threads runs meanwhile, and none
    /// has a reference in a register alone, that finds the same as if it was stopped. Otherwise, it
    /// takes two passes, and stops threads that run for a moment to read their registers.
    ///
    /// - Parameter deadline: The end of the search, in nanoseconds of the monotonic clock.
    package static func searchRunning(
      _ process: Int32, deadline: Int
    ) throws(LeakSearchFailure) -> LeakSearchResult {
      let before = ThreadProgress(process)
      let threads = StoppedProcess.running(process)
      if threads.allWait {
        let result = try search(process, threads, deadline: deadline)
        if !result.hidesRegisters, ThreadProgress(process).isUnchanged(since: before) {
          return result
        }
      }
      let first = try search(process, StoppedProcess.running(process), .first, deadline: deadline)
      usleep(pause)
      return try search(
        process, StoppedProcess.running(process), .second(known: first.unreachable, ignored: []),
        deadline: deadline)
    }

    /// Searches this process while its threads run, and returns the cycles that two searches find.
    ///
    /// - Parameters:
    ///   - ignored: The objects on cycles of an earlier search, which aren't described again.
    ///   - limit: The maximum time, in nanoseconds.
    static func searchThisProcess(
      ignoring ignored: Set<UInt> = [], limit: Int
    ) throws(LeakSearchFailure) -> LeakSearchResult {
      let deadline = LogClock.monotonic() + limit
      let stack = UInt(bitPattern: trace_frame_address()) &- savedRegisters
      // Copies of large files make the heap grow. The list of its parts must be read after that.
      guard let map = MemoryMap(), let memory = ProcessMemory.ofThisProcess else {
        throw .unreadable
      }
      let program = try Program(
        ProcessFiles(ofProcess: getpid(), map), memory, deadline: deadline)
      if !hasSearched.exchange(true, ordering: .relaxed) {
        _ = try searchThisProcess(program, from: stack, .first, deadline: deadline)
      }
      let first = try searchThisProcess(program, from: stack, .first, deadline: deadline)
      guard !first.onCycles.isSubset(of: ignored) else { return first }
      usleep(pauseBetweenSearches)
      return try searchThisProcess(
        program, from: stack, .second(known: first.unreachable, ignored: ignored),
        deadline: deadline)
    }

    /// Whether this process was searched before. The first search makes the runtime create
    /// metadata, which moves its tables while they are read, so its result isn't used. In the
    /// corpus, that overlooks 10 instead of 14 of 149 leaks.
    private static let hasSearched = Atomic<Bool>(false)

    /// The time between the two searches of this process, in microseconds. What other threads move
    /// is elsewhere then.
    private static let pauseBetweenSearches: UInt32 = 20_000

    /// The maximum size of the registers that a function saves below its frame on x86-64, in bytes.
    private static let savedRegisters: UInt = 40

    /// - Parameter stack: Where the stack of this thread begins. What is below belongs to the
    ///   search, and has old words.
    private static func searchThisProcess(
      _ program: Program, from stack: UInt, _ pass: SearchPass, deadline: Int
    ) throws(LeakSearchFailure) -> LeakSearchResult {
      // The list of parts is read first, so that it doesn't include the memory for the search.
      guard var map = MemoryMap() else { throw .unreadable }
      map.removeMemoryOfSearches()
      guard let memory = ProcessMemory.ofThisProcess else { throw .unreadable }
      // This thread runs, so the system doesn't report its stack pointer.
      var threads = StoppedProcess.running(getpid())
      threads.add(
        LeakSearch.Thread(stackPointer: stack &+ MemoryMap.redZone, registers: []))
      return try search(program, map, memory, threads, pass, deadline: deadline)
    }

    private static func search(
      _ program: Program, _ parts: MemoryMap, _ memory: ProcessMemory,
      _ threads: Threads, _ pass: SearchPass, deadline: Int
    ) throws(LeakSearchFailure) -> LeakSearchResult {
      let isInTime: @Sendable () -> Bool = { LogClock.monotonic() < deadline }
      var map = parts
      let files = ProcessFiles(of: memory.process, map)
      map.markVariables(memory)
      map.separateStacks(at: threads.stacks, memory)
      map.markThreads(at: threads.stacks, memory)
      let threads = threads.withoutIdle(memory, map, files, isInTime: isInTime)
        .withoutRedZones(map)
      let metadata = MetadataReader(memory, map)
      let types = ObjectTypes(memory, metadata) {
        files.sections($0, isInTime: isInTime)
      }
      map.markStacks(
        at: threads.stacks, areSomeUnknown: threads.areSomeUnknown, onlyOwnParts: true)
      let isRunning = pass.isOfRunningProcess
      let (blocks, allocator) = try BlockSearch(
        memory: memory, types: types, threads: threads,
        kernelValues: KernelValues(of: memory.process).addresses, blockClass: program.blockClass,
        slabMark: program.slabMark, isRunning: isRunning, isInTime: isInTime
      ).blocks(map, program.allocator)
      let counts = blocks.counts
      guard counts.objects > 0 || recognizesObjects(blocks, memory, files, isInTime) else {
        throw .noObjects
      }
      // The first of two passes decides nothing.
      let hidesRegisters =
        if case .first = pass { false } else {
          threads.hideRegisters(memory, files, isInTime: isInTime)
        }
      // A part of the leaks with a description is better than all without one.
      let start = LogClock.monotonic()
      let end = start + max(0, deadline - start) / 2
      let graph = UnreachableGraph(blocks, types, metadata) { LogClock.monotonic() < end }
      let describer = LeakDescriber(
        graph, memory, map, files, limit: max(0, deadline - LogClock.monotonic()))
      let found = describer.findings(
        pass, includesTasks: !hidesRegisters, knowsBlocks: allocator == nil)
      return LeakSearchResult(
        findings: found.findings, classes: classes(blocks, types),
        unreachable: Set(graph.nodes.map { ~$0.address }), onCycles: found.onCycles,
        objectCount: counts.objects,
        heapBytes: counts.bytes, allocator: allocator, isCut: graph.isCut || found.isCut,
        unreadableLibrary: files.unreadableLibrary(isInTime: isInTime),
        isOfRunningProcess: isRunning, hidesRegisters: hidesRegisters)
    }

    /// The standard library's object for empty arrays, which isn't in a block.
    private static let emptyArray = "_swiftEmptyArrayStorage"

    /// Returns whether an object is recognized that every Swift program has.
    private static func recognizesObjects(
      _ blocks: HeapBlocks, _ memory: ProcessMemory, _ files: ProcessFiles,
      _ isInTime: @escaping @Sendable () -> Bool
    ) -> Bool {
      files.address(ofVariable: emptyArray, in: "/libswiftCore.so", isInTime: isInTime)
        .flatMap { memory.word($0) }.map(blocks.isMetadata) ?? false
    }

    /// Returns the numbers of all objects by class, those with the most bytes first.
    private static func classes(
      _ blocks: HeapBlocks, _ types: ObjectTypes
    ) -> [LeakedObjects.Class] {
      var found: [String: (count: Int, bytes: Int)] = [:]
      blocks.forEachType { metadata, count, bytes in
        guard count > 0, let name = types.description(metadata)?.fullName else { return }
        let entry = found[name] ?? (0, 0)
        found[name] = (entry.count + count, entry.bytes + bytes)
      }
      return found.map { LeakedObjects.Class(name: $0, count: $1.count, bytes: $1.bytes) }
        .sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
    }
  }
#endif
