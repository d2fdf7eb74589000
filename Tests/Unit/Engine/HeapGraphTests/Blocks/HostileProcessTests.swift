#if os(Linux)
  import ProcessMemory
  import SwiftRuntime
  import SystemLibrary
  import Testing

  @testable import HeapGraph

  /// Processes whose memory has anything. `Tests/Scripts/fuzz.sh memory` looks for more of them.
  @Suite("Hostile processes")
  struct HostileProcessTests {
    // MARK: Metadata

    /// Writes the metadata of a class without fields, with a name.
    private func writeClass(
      _ process: FakeProcess, at address: UInt, _ descriptor: UInt, superclass: UInt
    ) {
      process.set(address - MetadataLayout.beforeDestroy, process.code)
      process.set(address, Metadata.Kind.classType)
      process.set(address + ClassLayout.superclass, superclass)
      process.set(address + ClassLayout.instanceSize, 16)
      process.set(address + ClassLayout.descriptor, descriptor)
    }

    private func writeDescriptor(_ process: FakeProcess, at descriptor: UInt, _ kind: UInt32) {
      process.setHalf(descriptor, UInt(kind))
      process.lead(descriptor + DescriptorLayout.name, process.constants)
      process.set(process.constants, 0x4141)
    }

    @Test("A class whose metadata has no words is a class, also at the start of a page")
    func emptyMetadata() throws {
      let process = try FakeProcess(heapPages: 1)
      let descriptor = process.constants + 64
      writeDescriptor(process, at: descriptor, DescriptorFlags.Kind.classType)
      // The words before metadata are in the page before.
      let address = process.variables + FakeProcess.page
      writeClass(process, at: address, descriptor, superclass: 0)
      let reader = MetadataReader(try process.memory(), process.map)
      #expect(reader.kind(at: address) == .instance)
    }

    @Test("A class has a limited number of superclasses")
    func superclasses() throws {
      let size: UInt = 96
      let count: UInt = 100_000
      let process = try FakeProcess(heapPages: count * size / FakeProcess.page + 1)
      let descriptor = process.constants + 64
      writeDescriptor(process, at: descriptor, DescriptorFlags.Kind.classType)
      func place(_ number: UInt) -> UInt { process.heap + 16 + number * size }
      for number in 0..<count {
        let superclass = number > 0 ? place(number - 1) : 0
        writeClass(process, at: place(number), descriptor, superclass: superclass)
      }
      let reader = MetadataReader(try process.memory(), process.map)
      #expect(reader.kind(at: place(count - 1)) == nil)
      #expect(MetadataReader(try process.memory(), process.map).kind(at: place(20)) == .instance)
    }

    @Test("A type has a limited number of types in types")
    func nestedTypes() throws {
      let size: UInt = 64
      let count: UInt = 100_000
      let process = try FakeProcess(heapPages: count * size / FakeProcess.page + 1)
      let witnesses = process.constants + 64
      process.set(witnesses + ValueWitnessLayout.destroy, process.code)
      // Each tuple has the previous one as its element. The first one is empty.
      func place(_ number: UInt) -> UInt { process.heap + 16 + number * size }
      for number in 0..<count {
        let tuple = place(number)
        process.set(tuple - MetadataLayout.beforeWitnesses, witnesses)
        process.set(tuple, Metadata.Kind.tuple)
        process.set(tuple + TupleLayout.count, min(number, 1))
        if number > 0 { process.set(tuple + TupleLayout.elements, place(number - 1)) }
      }
      let reader = MetadataReader(try process.memory(), process.map)
      #expect(!reader.isType(place(count - 1)))
      #expect(MetadataReader(try process.memory(), process.map).isType(place(20)))
    }

    @Test("A class isn't described if its fields are more than can be read")
    func records() throws {
      let process = try FakeProcess(heapPages: 1)
      let (descriptor, table) = (process.constants + 64, process.constants + 256)
      writeDescriptor(process, at: descriptor, DescriptorFlags.Kind.classType)
      let address = process.variables + 256
      writeClass(process, at: address, descriptor, superclass: 0)
      process.set(address + ClassLayout.instanceSize, 32)
      process.lead(descriptor + DescriptorLayout.fields, table)
      process.setHalf(descriptor + DescriptorLayout.classFieldCount, 2)
      process.setHalf(descriptor + DescriptorLayout.classFieldOffsets, 10)
      process.set(address + 80, 16)
      process.set(address + 88, 24)
      process.setHalf(table + 8, FieldDescriptorLayout.minRecordSize << 16)
      process.setHalf(table + FieldDescriptorLayout.count, 2)
      for index in 0..<UInt(2) {
        let record =
          table + FieldDescriptorLayout.records + index * FieldDescriptorLayout.minRecordSize
        process.lead(record + FieldDescriptorLayout.name, process.constants)
      }
      let memory = try process.memory()
      for (most, count) in [(2, 2), (1, nil)] {
        let types = ObjectTypes(
          memory, MetadataReader(memory, process.map), maxRecords: most)
        #expect(types.description(address)?.fields?.count == count)
      }
    }

    // MARK: Blocks

    private func blocks(_ process: FakeProcess, slabMark: UInt = 0) throws -> HeapBlocks {
      let memory = try process.memory()
      let types = ObjectTypes(memory, MetadataReader(memory, process.map))
      return try HeapBlocks(
        memory, process.map, .chunks(.references), isRunning: false, isInTime: { true },
        blockClass: nil,
        slabMark: slabMark, classify: types.classification, contained: types.contained,
        references: types.strongReferences)
    }

    /// Writes an arena with ten blocks of 40 bytes, another block, and a rest that isn't in use.
    /// Returns the address of the other block.
    ///
    /// - Parameter header: The size of what comes before the bins.
    @discardableResult
    private func writeArena(
      _ process: FakeProcess, header: UInt = 112, otherSize: UInt = 24
    ) -> UInt {
      let bins = process.variables + 512
      for pair in 0..<UInt(127) {
        process.set(bins + pair * 16, bins + pair * 16 - 16)
        process.set(bins + pair * 16 + 8, bins + pair * 16 - 16)
      }
      let other = process.heap + 10 * 48
      let top = other + otherSize + 8
      process.set(bins - 16, top)
      // It is the only arena.
      process.set(bins + ArenaLayout.next, bins - header)
      for number in 0..<UInt(10) { process.set(process.heap + number * 48 + 8, 48 | 1) }
      process.set(other + 8, (otherSize + 8) | 1)
      process.set(top + 8, (process.end - top) | 1)
      return other + 16
    }

    @Test("The blocks of an arena are listed, with those in use and the references between them")
    func arena() throws {
      let process = try FakeProcess(heapPages: 2)
      writeArena(process)
      func place(_ number: UInt) -> UInt { process.heap + 16 + number * 48 }
      // The chunk after the fourth block says that it is free. The second block leads to the sixth.
      process.set(place(4) - 8, 48)
      process.set(place(1) + 16, place(5))
      let blocks = try blocks(process)
      for number in 0..<UInt(10) {
        let block = try #require(blocks.block(at: place(number)))
        #expect(blocks.range(of: block) == place(number)..<place(number) + 40)
        #expect(blocks.isUsed(block) == (number != 3))
        #expect(blocks.block(around: place(number) + 39) == block)
      }
      // The rest of the arena is a block that isn't in use.
      #expect(blocks.counts.bytes == 9 * 40 + 24)
      blocks.mark(from: [place(1)])
      let marked = (0..<UInt(10)).filter { number in
        blocks.block(at: place(number)).map(blocks.isMarked) == true
      }
      #expect(marked == [1, 5])
    }

    @Test("The blocks of several heaps in one part of the memory are listed")
    func heaps() throws {
      let size: UInt = 64 << 20
      let process = try FakeProcess(heapPages: 6 * size / FakeProcess.page)
      writeArena(process)
      // The rest of the first heap ends before the others.
      process.set(process.heap + 512 + 8, 32 | 1)
      let first = (process.heap + size - 1) / size * size
      let heaps = [process.heap] + stride(from: first, to: process.end, by: Int(size))
      for heap in heaps.dropFirst() {
        for number in 0..<UInt(10) { process.set(heap + number * 48 + 8, 48 | 1) }
      }
      let blocks = try blocks(process)
      for (heap, number) in heaps.flatMap({ heap in (0..<UInt(10)).map { (heap, $0) } }) {
        let block = try #require(blocks.block(at: heap + 16 + number * 48))
        #expect(blocks.range(of: block).lowerBound == heap + 16 + number * 48)
      }
    }

    @Test(
      "Only the used part of a slab is followed, unless its size is impossible",
      arguments: [(0, false), (8, true), (9, true), (UInt(UInt32.max), true)])
    func slabs(used: UInt, isFollowed: Bool) throws {
      let process = try FakeProcess(heapPages: 2)
      writeArena(process)
      let (slab, target) = (process.heap + 16 + 48, process.heap + 16 + 96)
      process.set(slab, process.constants)
      process.set(slab + 16, used << 32 | 8)
      process.set(slab + 32, target)
      let blocks = try blocks(process, slabMark: process.constants)
      blocks.mark(from: [slab])
      #expect(blocks.block(at: target).map(blocks.isMarked) == isFollowed)
    }

    @Test(
      "A chunk with an impossible size ends the list of blocks",
      arguments: [0, 1, 8, 16, 24, 47, UInt(1) << 40, UInt.max, UInt.max & ~7])
    func sizes(_ size: UInt) throws {
      let process = try FakeProcess(heapPages: 2)
      writeArena(process)
      process.set(process.heap + 9 * 48 + 8, size)
      let blocks = try blocks(process)
      #expect(blocks.block(at: process.heap + 16 + 8 * 48) != nil)
      #expect(blocks.block(at: process.heap + 16 + 10 * 48) == nil)
      try blocks.markOthers()
    }

    @Test("The list of free blocks can be a circle, or lead anywhere")
    func freeBlocks() throws {
      for target in [UInt(0), 1, 48, .max] {
        let process = try FakeProcess(heapPages: 2)
        writeArena(process)
        let block = process.heap + 16 + 96
        // The first list for small blocks. The address of the next one is protected by its place.
        process.set(process.variables + 512 - 96, block - 16)
        process.set(block, (process.heap &+ target) ^ block >> 12)
        let blocks = try blocks(process)
        #expect(blocks.block(at: block).map(blocks.isUsed) == false)
      }
    }

    @Test("The blocks in the cache of a thread are free", arguments: [0, 1], [24, 40, UInt(112)])
    func cachedBlocks(version: Int, header: UInt) throws {
      let layout = ThreadCacheLayout.all[version]
      let process = try FakeProcess(heapPages: 2)
      let cache = writeArena(process, header: header, otherSize: layout.blockSizes[0])
      func place(_ number: UInt) -> UInt { process.heap + 16 + number * 48 }
      // All lists are empty except for the second one, which has two blocks.
      let empty: UInt = layout.countsBlocks ? 0 : 16
      for index in 0..<UInt(layout.listCount / 4) {
        process.set(cache + index * 8, empty * 0x1_0001_0001_0001)
      }
      let second = layout.countsBlocks ? 2 : empty - 2
      process.set(cache, empty * 0x1_0001_0000_0001 | second << 16)
      let lists = cache + UInt(layout.listCount) * 2
      process.set(lists + 8, place(2))
      process.set(place(2), place(5) ^ place(2) >> 12)
      process.set(place(5), place(5) >> 12)
      let blocks = try blocks(process)
      #expect(blocks.knowsFreeBlocks == (header != 40))
      for number in 0..<UInt(10) {
        #expect(blocks.block(at: place(number)).map(blocks.isUsed) == ![2, 5].contains(number))
      }
      // The first list has blocks of another size.
      process.set(lists, place(7))
      let others = try self.blocks(process)
      #expect(!others.knowsFreeBlocks)
      #expect(others.block(at: place(2)).map(others.isUsed) == true)
    }

    @Test("Memory without an arena isn't mistaken for a heap of glibc")
    func noArena() throws {
      let process = try FakeProcess(heapPages: 2)
      #expect(throws: HeapBlocks.Failure.unknownAllocator) { try blocks(process) }
    }
  }

  /// Pages of this process that look like the memory of another one.
  private final class FakeProcess {
    static let page: UInt = 4096
    let constants: UInt
    let code: UInt
    let variables: UInt
    let heap: UInt
    let end: UInt
    private let start: UnsafeMutableRawPointer

    init(heapPages: UInt) throws {
      let size = (4 + heapPages) * Self.page
      start = try #require(ProcessMemory.map(Int(size)))
      constants = UInt(bitPattern: start)
      code = constants + Self.page
      variables = code + Self.page
      heap = variables + 2 * Self.page
      end = constants + size
    }

    deinit { ProcessMemory.unmap(start, Int(end - constants)) }

    var map: MemoryMap {
      let parts = [
        (constants, code, "r--p", "/lib/libfake.so"), (code, variables, "r-xp", "/lib/libfake.so"),
        (variables, heap, "rw-p", "/lib/libfake.so"), (heap, end, "rw-p", ""),
      ]
      let lines = parts.map { start, end, flags, path in
        let range = "\(String(start, radix: 16))-\(String(end, radix: 16))"
        return "\(range) \(flags) 00000000 00:00 0 \(path)\n"
      }
      return MemoryMap(list: Array(lines.joined().utf8))
    }

    func memory() throws -> ProcessMemory { try #require(ProcessMemory.ofThisProcess) }

    func set(_ address: UInt, _ value: UInt) {
      start.storeBytes(of: value, toByteOffset: Int(address - constants), as: UInt.self)
    }

    func setHalf(_ address: UInt, _ value: UInt) {
      start.storeBytes(
        of: UInt32(truncatingIfNeeded: value), toByteOffset: Int(address - constants),
        as: UInt32.self)
    }

    /// Writes a relative pointer.
    func lead(_ address: UInt, _ target: UInt) { setHalf(address, target &- address) }
  }
#endif
