import CRuntime.OwnProcess
package import ProcessMemory
package import SwiftRuntime

/// The objects of this process, found by their addresses.
///
/// An object's first word points to metadata that passes all checks, and its second word has the
/// reference counts of a live object. So stale memory isn't mistaken for an object, regardless of
/// its allocator.
package final class Heap {
  /// The kinds of objects.
  package enum Kind: Equatable {
    case instance
    case array
    case dictionary
    case set
    /// The captured values of a closure.
    case closure
    /// A captured variable, or a value that is too large for inline storage.
    case box
    case errorBox
    case task
    /// A C block.
    case block
    /// An object of libdispatch, or a part of one.
    case dispatch(DispatchLayout.Kind)

    init(_ kind: MetadataReader.Kind) {
      switch kind {
      case .instance: self = .instance
      case .array: self = .array
      case .dictionary: self = .dictionary
      case .set: self = .set
      case .closure: self = .closure
      case .box: self = .box
      case .errorBox: self = .errorBox
      case .task: self = .task
      }
    }
  }

  /// An object and the address of its metadata, which is 0 for an object without any.
  package struct Object: Equatable {
    package let address: UInt
    package let kind: Kind
    package let metadata: UInt
  }

  package let memory: ProcessMemory
  package private(set) var map: MemoryMap
  package let types: RuntimeTypes
  private let metadata: MetadataReader
  /// The first word of each slab, a part of the memory of a Task, or 0 if unknown.
  private let slabMark = trace_task_slab()
  /// The first word of each C block, or 0 if unknown.
  let blockClass = trace_block_class()
  /// The layout of libdispatch's objects, or nil if libdispatch doesn't match it.
  package var dispatch: DispatchLayout?
  /// The address range of the file that contains libdispatch. Empty if libdispatch doesn't match
  /// its layout.
  let dispatchImage: (start: UInt, size: UInt)
  /// The offset of the wrapped libdispatch object, by the metadata of the overlay class.
  var wrappers: [UInt: UInt?] = [:]
  /// Whether a class is the buffer of a deque, by the address of its metadata.
  var deques: [UInt: Bool] = [:]

  /// - Parameters:
  ///   - library: A library's description of its own types.
  ///   - followsDispatch: Whether to follow libdispatch's objects, if they match the known layout.
  package init?(library: any LibraryTypes, followsDispatch: Bool = true) {
    trace_fill_free_lists()
    // The list of parts is read first, so that it doesn't include the memory for copies.
    guard var map = MemoryMap(), let memory = ProcessMemory() else { return nil }
    map.removeMemoryOfSearches()
    map.markVariables(memory)
    self.memory = memory
    self.map = map
    metadata = MetadataReader(memory, map)
    types = RuntimeTypes(library)
    let dispatch =
      followsDispatch ? DispatchLayout(mainQueue: trace_main_queue(), memory, map) : nil
    self.dispatch = dispatch
    dispatchImage = (
      dispatch?.image.lowerBound ?? 0, dispatch.map { UInt($0.image.count) } ?? 0
    )
  }

  /// Marks the stacks of threads. Words on them count as local variables.
  ///
  /// - Parameter excludesEnded: Whether the stacks of threads that have ended aren't searched.
  package func markStacks(
    _ stacks: (known: [UInt], areSomeUnknown: Bool), excludesEnded: Bool = false
  ) {
    map.separateStacks(at: stacks.known, memory)
    if excludesEnded { map.markThreads(at: stacks.known, memory) }
    map.markStacks(at: stacks.known, areSomeUnknown: stacks.areSomeUnknown)
  }

  /// Returns a copy of the memory, or nil if time or memory runs out.
  ///
  /// - Parameters:
  ///   - stackStart: The lowest address of the calling thread's stack to copy.
  ///   - deadline: The end of the work, in nanoseconds of the monotonic clock.
  package func snapshot(stackStart: UInt, deadline: Int) -> MemorySnapshot? {
    let range = dispatchImage.start..<dispatchImage.start &+ dispatchImage.size
    // The functions of a program with its own copy of libdispatch aren't looked up here.
    let isShared =
      !range.isEmpty && map.part(of: range.lowerBound)?.path != memory.process.program
    return MemorySnapshot(memory, map, stackStart: stackStart, deadline: deadline) {
      IdleThreads(memory, map, dispatch: isShared ? .library(range) : .unknown).ranges
    }
  }

  // MARK: Recognizing objects

  /// Returns the object at an address, or nil if there isn't one.
  package func object(at address: UInt) -> Object? {
    guard address & ObjectLayout.alignmentMask == 0, address > MemoryMap.lowestAddress,
      let metadata = memory.word(address)
    else {
      // Searches test millions of words, so this doesn't call a function for most of them.
      return address & ObjectLayout.alignmentMask == DispatchLayout.sourceStateRemainder
        && address > MemoryMap.lowestAddress ? sourceState(at: address) : nil
    }
    if let kind = kind(ofMetadata: metadata) {
      return isAlive(address) ? Object(address: address, kind: kind, metadata: metadata) : nil
    }
    return foreignKind(at: address, first: metadata).map {
      Object(address: address, kind: $0, metadata: 0)
    }
  }

  /// Reports whether the reference counts of an object are those of a live object.
  private func isAlive(_ address: UInt) -> Bool {
    guard
      let counts = memory.word(address &+ ObjectLayout.referenceCounts).map({ ReferenceCounts($0) })
    else { return false }
    guard let table = counts.sideTable else { return counts.areOfLiveObject }
    guard table & SideTableLayout.alignmentMask == 0, memory.word(table) == address,
      let inTable = memory.word(table &+ SideTableLayout.referenceCounts)
    else { return false }
    return !ReferenceCounts(inTable).isDeiniting
  }

  /// Returns the kind of the objects with this metadata, or nil if the address isn't metadata.
  func kind(ofMetadata address: UInt) -> Kind? { metadata.kind(at: address).map { Kind($0) } }

  package func isCode(_ address: UInt) -> Bool { metadata.isCode(address) }

  /// Returns the code to which the first word of a function leads, or the word if it isn't one.
  func code(_ word: UInt) -> UInt { metadata.code(word) ?? word }

  /// Reports whether an address is in the file of the program or of a library.
  func isConstant(_ address: UInt) -> Bool { metadata.isConstant(address) }

  /// Reports whether the metadata of a type is at an address.
  func isType(_ address: UInt) -> Bool { metadata.isType(address) }

  /// Returns the name of an object's class without modules, or nil if the object doesn't have a
  /// class.
  package func className(_ object: Object) -> String? {
    switch object.kind {
    case .instance, .array, .dictionary, .set:
      String(describing: Metadata.type(at: object.metadata))
    default: nil
    }
  }

  package func classType(_ object: Object) -> Any.Type? {
    className(object) == nil ? nil : Metadata.type(at: object.metadata)
  }

  // MARK: Sizes

  /// Returns the number of bytes from the address of an object that certainly belong to it.
  func size(of object: Object) -> Int {
    switch object.kind {
    case .instance:
      if let deque = DequeBuffer(object, in: self) { return deque.size }
      return memory.half(object.metadata &+ ClassLayout.instanceSize).map { Int($0) }
        ?? ObjectLayout.header
    case .array:
      let header = CollectionLayout.arrayHeader
      guard let element = types.argument(0, ofClass: object.metadata),
        let count = memory.word(object.address &+ CollectionLayout.count), count < 1 << 40
      else { return header }
      let (size, overflows) = Int(count).multipliedReportingOverflow(by: element.stride)
      return overflows || size >= 1 << 40 ? header : Self.arrayStart(element) + size
    case .dictionary, .set: return CollectionLayout.dictionaryHeader
    case .closure:
      return closureLayout(object)?.size ?? contextSize(object) ?? ObjectLayout.header
    case .box:
      let type = types.type(
        Metadata.type(at: memory.word(object.metadata &+ BoxLayout.type) ?? 0))
      return valueOffset(memory.half(object.metadata &+ BoxLayout.value)) + type.size
    case .errorBox: return ErrorBoxLayout.header
    case .task:
      return blockSize(object.address) ?? taskSizes.size(ofTaskAt: object.address).map { Int($0) }
        ?? TaskLayout.minSize
    case .block, .dispatch: return foreignSize(of: object)
    }
  }

  /// Returns the offset of the first value in a closure's context or in a box.
  func valueOffset(_ inMetadata: UInt32?) -> Int { inMetadata.map(Int.init) ?? ObjectLayout.header }

  private static let maxSlabBytes: UInt = 1 << 16

  /// Returns the slab, a part of the memory of a Task, that starts at an address.
  func slab(at address: UInt) -> Range<UInt>? {
    guard slabMark != 0, address & ObjectLayout.alignmentMask == 0,
      memory.word(address) == slabMark,
      let capacity = memory.half(address &+ SlabLayout.capacity).map(UInt.init),
      capacity <= Self.maxSlabBytes,
      let used = memory.half(address &+ SlabLayout.used).map(UInt.init), used <= capacity
    else { return nil }
    return address..<address &+ SlabLayout.header &+ capacity
  }

  /// Returns the slab that contains an address.
  func slab(around address: UInt) -> Range<UInt>? {
    guard slabMark != 0 else { return nil }
    var start = address & ~ObjectLayout.alignmentMask
    let lowest = start &- min(start, Self.maxSlabBytes)
    while start > lowest {
      if let slab = slab(at: start) { return slab.contains(address) ? slab : nil }
      start &-= ObjectLayout.alignment
    }
    return nil
  }

  static func arrayStart(_ element: RuntimeType) -> Int {
    CollectionLayout.start(after: CollectionLayout.arrayHeader, alignment: element.alignment)
  }

  // MARK: Blocks

  /// The blocks of glibc's allocator, listed on first use unless a search has listed them before,
  /// or nil if that isn't the allocator.
  lazy var blocks: HeapBlocks? = {
    #if os(Linux)
      HeapBlocks(placesIn: memory, map, sample: block)
    #else
      nil
    #endif
  }()

  /// An address that the allocator has returned: that of this object.
  var block: UInt { unsafeBitCast(self, to: UInt.self) }

  private lazy var taskSizes = TaskSizes(memory, map) { true }

  /// A Boolean value that indicates whether the blocks of the allocator are known.
  var seesBlocks: Bool { blocks != nil }

  /// Returns the block in use that contains an address, or nil if there isn't one or blocks aren't
  /// known.
  func block(around address: UInt) -> Range<UInt>? {
    guard let blocks, let block = blocks.block(around: address), blocks.isUsed(block) else {
      return nil
    }
    return blocks.range(of: block)
  }

  /// Reports whether an address is in a block that isn't in use.
  func isFree(_ address: UInt) -> Bool {
    guard let blocks, let block = blocks.block(around: address) else { return false }
    return !blocks.isUsed(block)
  }

  /// Returns the number of bytes of the block that starts at an address, or nil if unknown.
  func blockSize(_ address: UInt) -> Int? {
    block(around: address).flatMap { $0.lowerBound == address ? $0.count : nil }
  }

  // MARK: Closures

  private var layouts: [UInt: ClosureLayout?] = [:]
  private var contextSizes: [UInt: Int?] = [:]

  /// Returns the number of bytes of a closure's context without a description.
  func contextSize(_ closure: Object) -> Int? {
    let known =
      contextSizes[closure.metadata]
      ?? memory.word(closure.metadata &- MetadataLayout.beforeDestroy)
      .flatMap { ContextSize.size(freedBy: $0, memory) }
    contextSizes[closure.metadata] = .some(known)
    guard let block = blockSize(closure.address) else {
      return known ?? describedContextSize(closure)
    }
    return known.flatMap { HeapBlocks.Chunk.isBlock(of: block, for: $0) ? $0 : nil } ?? block
  }

  /// Returns the number of bytes of a context that has one word for each captured value and each
  /// type in its description. The types of the values aren't known.
  private func describedContextSize(_ closure: Object) -> Int? {
    guard let descriptor = memory.word(closure.metadata &+ ClosureContextLayout.captures),
      descriptor != 0,
      let values = memory.half(descriptor &+ CaptureDescriptorLayout.captureCount),
      let types = memory.half(descriptor &+ CaptureDescriptorLayout.bindingCount),
      values < 32, types < 32
    else { return nil }
    return valueOffset(memory.half(closure.metadata &+ ClosureContextLayout.firstCapture))
      + ObjectLayout.reference * Int(values + types)
  }

  /// Returns the layout of a closure's context, or nil if the compiler doesn't describe it.
  package func closureLayout(_ closure: Object) -> ClosureLayout? {
    if let known = layouts[closure.metadata] { return known }
    let layout = ClosureLayout(closure, in: self)
    // The layout of a generic closure depends on the types in each context.
    if layout?.isGeneric != true { layouts[closure.metadata] = .some(layout) }
    return layout
  }
}
