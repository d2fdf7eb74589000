#if os(Linux)
  import HeapGraph
  import CRuntime.Heap
  import ProcessMemory
  import SwiftRuntime

  /// The list of a process's blocks, with those marked that are in use.
  struct BlockSearch {
    /// The maximum number of objects outside of blocks if glibc is the only allocator.
    private static let maxStray = 16
    /// If another allocator describes its blocks, one of so many objects can be outside of blocks.
    private static let strayPart = 16

    let memory: ProcessMemory
    let types: ObjectTypes
    let threads: LeakSearch.Threads
    /// The values by which the kernel leads to objects.
    let kernelValues: [UInt]
    /// The class of C closures on the heap, or nil if there aren't any.
    let blockClass: UInt?
    /// The first word of slabs, or 0.
    let slabMark: UInt
    let isRunning: Bool
    let isInTime: @Sendable () -> Bool

    /// Returns the blocks of a process, with the unreachable ones not marked, and the allocator, or
    /// nil if all of its blocks could be listed.
    ///
    /// - Parameters:
    ///   - map: The parts of the memory. Stacks are only marked in it if the allocator is glibc's.
    ///   - allocator: The allocator that the files of the program show, or nil.
    func blocks(
      _ map: MemoryMap, _ allocator: ForeignAllocator?
    ) throws(LeakSearchFailure) -> (HeapBlocks, ForeignAllocator?) {
      var allocator = allocator
      do throws(HeapBlocks.Failure) {
        if allocator == nil {
          do throws(HeapBlocks.Failure) {
            return (try reachedBlocks(map), nil)
          } catch {
            switch error {
            case .limit: throw error
            case .unknownAllocator: allocator = .unknown
            case .unknownVersion: allocator = .unknownVersion
            }
          }
        }
        if let described = try describedBlocks(map) { return (described, nil) }
        return (try reachedObjects(map), allocator)
      } catch {
        throw .limit
      }
    }

    /// Lists the blocks, and finds those that are garbage by counts.
    private func blocks(
      _ map: MemoryMap, _ listing: HeapBlocks.Listing
    ) throws(HeapBlocks.Failure) -> HeapBlocks {
      let blocks = try HeapBlocks(
        memory, map, listing, isRunning: isRunning, isInTime: isInTime, blockClass: blockClass,
        slabMark: slabMark, classify: types.classification, contained: types.contained,
        references: types.strongReferences)
      try blocks.findGarbage(kernelValues)
      // Without time, not everything was marked.
      guard isInTime() else { throw .limit }
      return blocks
    }

    private func markRoots(of blocks: HeapBlocks) throws(HeapBlocks.Failure) {
      blocks.mark(from: threads.registers, heap_words_of_stack)
      blocks.mark(from: kernelValues)
      blocks.markBlocks(around: threads.stacks)
      try blocks.markOthers()
      guard isInTime() else { throw .limit }
    }

    /// Lists the objects in the memory of any allocator, and marks those to which roots or other
    /// memory of the allocator lead. That includes freed memory, whose old words make it overlook
    /// leaks.
    private func reachedObjects(_ map: MemoryMap) throws(HeapBlocks.Failure) -> HeapBlocks {
      let blocks = try blocks(map, .objects)
      try markRoots(of: blocks)
      blocks.markUnknown()
      blocks.unmarkGarbage()
      return blocks
    }

    /// Lists the blocks of an allocator whose own data describe them, and marks those to which
    /// roots lead. Returns nil if its layout isn't known.
    private func describedBlocks(_ map: MemoryMap) throws(HeapBlocks.Failure) -> HeapBlocks? {
      guard let list = AllocatorBlocks.of(memory, map, isInTime: isInTime) else { return nil }
      let blocks = try blocks(map, .described(list))
      try markRoots(of: blocks)
      guard blocks.strayObjects <= max(blocks.counts.objects / Self.strayPart, Self.maxStray)
      else { return nil }
      blocks.unmarkGarbage()
      return blocks
    }

    /// Lists the blocks of glibc's allocator, and marks those to which roots lead.
    private func reachedBlocks(_ map: MemoryMap) throws(HeapBlocks.Failure) -> HeapBlocks {
      let blocks = try blocks(map, .chunks(.references))
      try markRoots(of: blocks)
      let counts = blocks.counts
      // Some objects of the runtime are in variables, or in memory that it manages itself. The C
      // library itself allocates blocks before a program starts.
      guard blocks.strayObjects <= max(counts.objects, Self.maxStray), counts.bytes > 0 else {
        throw .unknownAllocator
      }
      guard blocks.knowsFreeBlocks else { throw .unknownVersion }
      blocks.unmarkGarbage()
      return blocks
    }
  }
#endif
