// A libFuzzer target for what reads files and memory of other programs. Tests/Scripts/fuzz.sh runs
// it. The environment variable FUZZER has the name of the readers to test. Nothing may crash or
// hang, whatever a file or a process contains.

import CRuntime
import Glibc
import SystemLibrary

@testable import CodeLocations
@testable import HeapGraph
@testable import LeakDetection
@testable import ProcessInspection
@testable import ProcessMemory
@testable import SwiftRuntime

private let test: @Sendable ([UInt8]) -> Void =
  switch getenv("FUZZER").map({ String(cString: $0) }) {
  case "image": testImage
  case "names": testNames
  case "core": testCore
  case "memory": HostileMemory.test
  default: fatalError("FUZZER must be image, core, names or memory.")
  }

/// Tests one input. libFuzzer calls this function repeatedly.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  test(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// Writes the inputs to begin with, if a folder for them is given.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer, _ arguments: UnsafeMutableRawPointer)
  -> CInt
{
  HostileMemory.prepare()
  guard let folder = getenv("SEEDS").map({ String(cString: $0) }) else { return 0 }
  let seed = HostileMemory.seed
  let file = fopen("\(folder)/memory", "w")
  fwrite(seed, 1, seed.count, file)
  fclose(file)
  return 0
}

// MARK: Files

/// The file whose content each input replaces.
private let file = fileno(tmpfile())

@Sendable private func testImage(_ bytes: [UInt8]) {
  ftruncate(file, 0)
  pwrite(file, bytes, bytes.count, 0)
  let clock = LogClock()
  let isInTime: @Sendable () -> Bool = { clock.now < 1_000_000_000 }
  guard let image = ElfFile("/proc/self/fd/\(file)", isInTime: isInTime) else { return }
  let (table, texts) = image.symbols
  var starts: [UInt] = [0, 0x1000, .max]
  table.withUnsafeBytes { table in
    SymbolTable(table).visit(isInTime) { symbol in
      if starts.count < 64 { starts.append(symbol.start) }
      _ = image.text(in: texts, at: symbol.name)
    }
  }
  _ = image.addresses(ofVariables: ["a", "_swift_FORCE_LOAD"], isInTime: isInTime)
  _ = image.functions(among: ["malloc", "f"], isInTime: isInTime)
  let entries = Set(starts.map { $0 &+ 1 }).sorted()
  var names = ImageNames(entries, entries: Set(starts).sorted(), isInTime: isInTime)
  _ = names.look(in: image, describesCalls: true)
  let modules = CodeModules(image, isInTime: isInTime)
  let unwinding = UnwindTable(image)
  for start in starts {
    _ = image.code(at: start, count: 64)
    _ = modules.isOurs(start)
    for address in [start, start &+ 1, start &+ 9] {
      guard let unwinding, let row = unwinding.row(at: address) else { continue }
      var expressions: [UnwindTable.Expression] = []
      if case .value(let expression) = row.frameAddress { expressions.append(expression) }
      for case .value(let expression) in row.rules.values { expressions.append(expression) }
      for case .savedAt(let expression) in row.rules.values { expressions.append(expression) }
      for expression in expressions {
        _ = unwinding.value(
          of: expression, initial: address, register: { UInt($0 & 0xFFFF) }, word: { $0 &+ 1 })
      }
    }
  }
}

// MARK: Core files

@Sendable private func testCore(_ bytes: [UInt8]) {
  ftruncate(file, 0)
  pwrite(file, bytes, bytes.count, 0)
  guard let core = try? CoreFile("/proc/self/fd/\(file)"), let memory = ProcessMemory(core) else {
    return
  }
  let map = MemoryMap(core)
  _ = ProcessFiles(of: .core(core), map)
  _ = core.lacksMemory
  let pages = PageTable(.core(core))
  for part in map.parts.prefix(64) {
    _ = memory.word(part.start)
    _ = memory.word(part.end &- 8)
    pages?.forEachPart(of: part.start..<part.end, while: { true }) { _ in }
  }
  for thread in core.notes.threads.prefix(64) {
    _ = ThreadCall(thread)
    _ = memory.word(thread.stackPointer & ~7)
  }
}

// MARK: Names

@Sendable private func testNames(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  let demangled = [text, "$s" + text].map { symbol in
    _ = Demangler.isThunk(symbol)
    _ = MangledName.callee(of: symbol)
    _ = MangledName.isSpecializedThunk(symbol)
    _ = MangledName.isOfMacro(symbol)
    _ = MangledName.functionOfResumption(symbol)
    return Demangler.name(of: symbol)
  }
  let name = MangledName(bytes)
  _ = (name.module, name.modules, name.mayBeInExtension, name.ownership, name.isBox)
  _ = (name.containsBlock, name.mayBeDependent, name.containsPack, name.isLoweredFunction)
  _ = (name.genericParameter, name.isClass)
  for function in demangled + [text] {
    _ = FunctionNames.isMethodReference(function)
    _ = FunctionNames.nestedFunction(function)
    _ = FunctionNames.around(function)
    _ = FunctionNames.isMember(function, of: "Screen")
    _ = CodeFrame(function: function, row: (text, 1), nearest: { nil })
    _ = CodeFrame.name(of: function)
  }
  _ = ThreadCall(text)
  _ = MemoryMap(list: bytes)
}

// MARK: Memory

/// A fake process: a few pages at a fixed address of this process, whose content is an input.
private enum HostileMemory {
  private static let base: UInt = 0x5000_0000_0000
  private static let page: UInt = 4096
  private static let size = 6 * page
  /// The places of the pages, which have constants, code, variables and blocks.
  private static let (code, variables, heap) = (base + page, base + 2 * page, base + 3 * page)
  /// The upper half of a word that stands for an address, with the distance in the lower half.
  private static let isAddress: UInt = 0xF00D_0000_0000_0000

  private static let map: MemoryMap = {
    let address = { (number: UInt) in String(base + number * page, radix: 16) }
    let library = "00000000 00:00 1 /lib/libswiftCore.so\n"
    return MemoryMap(
      list: Array(
        """
        \(address(0))-\(address(1)) r--p \(library)\(address(1))-\(address(2)) r-xp \(library)\
        \(address(2))-\(address(3)) rw-p \(library)\(address(3))-\(address(6)) rw-p 00000000 00:00 0

        """.utf8))
  }()
  /// Maps the pages.
  static func prepare() {
    mmap(
      UnsafeMutableRawPointer(bitPattern: base), Int(size), PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0)
  }

  @Sendable static func test(_ bytes: [UInt8]) {
    guard let words = UnsafeMutablePointer<UInt>(bitPattern: base) else { return }
    memset(words, 0, Int(size))
    memcpy(words, bytes, min(bytes.count, Int(size)))
    for index in 0..<Int(size) / 8 where words[index] & ~0xFFFF_FFFF == isAddress {
      words[index] = base &+ (words[index] & 0xFFFF_FFFF)
    }
    guard let memory = ProcessMemory() else { return }
    let clock = LogClock()
    let isInTime: @Sendable () -> Bool = { clock.now < 1_000_000_000 }
    var map = map
    map.markVariables(memory)
    map.markStacks(at: [heap + 128, variables + 8], areSomeUnknown: true)
    map = self.map
    let metadata = MetadataReader(memory, map)
    let types = ObjectTypes(memory, metadata)
    for address in stride(from: base, to: base + size, by: 8) {
      if metadata.kind(at: address) != nil {
        _ = types.classification(address, 3)
        if let description = types.description(address) {
          _ = UnreachableGraph.field(at: 16, in: description)
          _ = types.elements(heap + 16, description)
        }
      }
      if let first = memory.word(address), let description = types.description(first) {
        _ = types.elements(address, description)?.contain(48)
      }
      _ = metadata.isType(address)
      _ = types.contained(address)
      _ = metadata.plainMetadata(ofType: address)
    }
    for place in [code, code + 64] { _ = ContextSize.size(freedBy: place, memory) }
    testBlocks(memory, types, metadata, isInTime)
    testTasks(
      memory,
      TaskCensus.Runtime(
        metadata: base, version: TaskLayout.version, taskSize: TaskLayout.size))
  }

  private static func testBlocks(
    _ memory: ProcessMemory, _ types: ObjectTypes, _ metadata: MetadataReader,
    _ isInTime: @escaping () -> Bool
  ) {
    var found = AllocatorBlocks()
    let runs = [
      BlockRun(heap..<heap + 2048, start: heap + 384, size: 48, count: 30),
      BlockRun(heap + 2048..<heap + 4096, start: heap + 2048, size: 8, count: 30),
      BlockRun(unused: heap + 8192..<heap + 8320),
    ]
    for run in runs { found.add(run, free: [heap + 432, base]) }
    found.list.caches = [heap + 480, base]
    _ = AllocatorBlocks.of(memory, map, isInTime: isInTime)
    let listings: [(HeapBlocks.Listing, isRunning: Bool)] = [
      (.chunks(.references), false), (.chunks(.references), true), (.objects, false),
      (.described(found.list), false),
    ]
    for (listing, isRunning) in listings {
      guard
        let blocks = try? HeapBlocks(
          memory, map, listing, isRunning: isRunning, isInTime: isInTime, blockClass: base + 64,
          slabMark: base + 128, classify: types.classification, contained: types.contained,
          references: types.strongReferences)
      else { continue }
      try? blocks.findGarbage([heap + 48])
      blocks.mark(from: [heap + 32])
      blocks.markBlocks(around: [heap + 64])
      try? blocks.markOthers()
      _ = blocks.counts
      let graph = UnreachableGraph(blocks, types, metadata, isInTime: isInTime)
      _ = graph.contextsOfClosures
      for component in graph.cyclicComponents() {
        _ = graph.links(
          of: component, NodeOwners(ofNode: { _ in nil }, ofCode: { _ in nil }),
          ReferenceNames(ofCode: { "\($0)" }, ofTask: { "\($0)" }))
        _ = component.map(graph.isExplained)
      }
    }
  }

  private static func testTasks(_ memory: ProcessMemory, _ runtime: TaskCensus.Runtime) {
    let deadline = LogClock.monotonic() + 1_000_000_000
    guard let census = try? TaskCensus(memory, map, runtime, deadline: deadline) else { return }
    let waits = TaskWaits(census.tasks)
    _ = (waits.cycles, census.haveMoved(memory))
  }

  // MARK: The first input

  /// An arena of glibc with blocks, which have objects on a cycle, an array, a closure and a task.
  static var seed: [UInt8] {
    var words = [UInt](repeating: 0, count: Int(size / 8))
    func set(_ place: UInt, _ value: UInt) { words[Int((place - base) / 8)] = value }
    func setHalf(_ place: UInt, _ value: UInt) {
      let shift = place & 4 * 8
      words[Int((place - base) / 8)] &= ~(0xFFFF_FFFF << shift)
      words[Int((place - base) / 8)] |= value & 0xFFFF_FFFF << shift
    }
    func point(_ place: UInt, _ target: UInt) { set(place, isAddress | (target - base)) }
    func lead(_ place: UInt, _ target: UInt) { setHalf(place, target &- place) }
    func write(_ place: UInt, _ text: String) {
      for (index, byte) in (Array(text.utf8) + [0]).enumerated() {
        let place = place + UInt(index)
        words[Int((place - base) / 8)] |= UInt(byte) << (place % 8 * 8)
      }
    }
    // The metadata of tasks, at the start.
    set(base, Metadata.Kind.task)
    // A module, a class with a field of its own type, and a structure.
    let (module, descriptor, table) = (base + 0x100, base + 0x140, base + 0x200)
    write(base + 0x300, "Shop")
    write(base + 0x310, "Cart")
    write(base + 0x320, "owner")
    lead(module + DescriptorLayout.name, base + 0x300)
    setHalf(descriptor, UInt(DescriptorFlags.Kind.classType))
    lead(descriptor + DescriptorLayout.parent, module)
    lead(descriptor + DescriptorLayout.name, base + 0x310)
    lead(descriptor + DescriptorLayout.fields, table)
    setHalf(descriptor + DescriptorLayout.classFieldCount, 1)
    setHalf(descriptor + DescriptorLayout.classFieldOffsets, 10)
    setHalf(descriptor + DescriptorLayout.classWords, 11)
    setHalf(descriptor + DescriptorLayout.ownClassWords, 1)
    setHalf(table + 8, FieldDescriptorLayout.minRecordSize << 16)
    setHalf(table + FieldDescriptorLayout.count, 1)
    let record = table + FieldDescriptorLayout.records
    lead(record + FieldDescriptorLayout.type, base + 0x340)
    lead(record + FieldDescriptorLayout.name, base + 0x320)
    write(base + 0x340, "4Shop4CartCSg")
    let cart = variables + 0xC00
    point(cart - MetadataLayout.beforeDestroy, code)
    set(cart + ClassLayout.instanceSize, 24)
    point(cart + ClassLayout.descriptor, descriptor)
    set(cart + 80, 16)
    // An arena, whose bins are empty, in the variables.
    let bins = variables + 0x200
    for pair in 0..<UInt(127) {
      point(bins + pair * 16, bins + pair * 16 - 16)
      point(bins + pair * 16 + 8, bins + pair * 16 - 16)
    }
    point(bins - 16, heap + 40 * 48)
    // Blocks of the size of a cart, each of which leads to the next one.
    for number in 0..<UInt(40) {
      let block = heap + number * 48 + 16
      set(block - 8, 48 | 1)
      point(block, cart)
      set(block + 8, 3)
      point(block + 16, heap + (number ^ 1) * 48 + 16)
    }
    set(heap + 40 * 48 + 8, (3 * page - 40 * 48) | 1)
    // A task in the rest.
    let task = heap + 0x1000
    point(task, base)
    set(task + 8, 3)
    setHalf(task + TaskLayout.lowNumber, 1)
    point(task + TaskLayout.resumeFunction, code)
    point(task + TaskLayout.resumeContext, task + 0x200)
    set(task + TaskLayout.status, 0x4015)
    point(task + TaskLayout.statusRecords, task + 0x300)
    return words.withUnsafeBytes { Array($0) }
  }
}
