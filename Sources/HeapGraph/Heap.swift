package import SwiftRuntime
import TraceShims

/// The objects of this process, found by their addresses.
///
/// An address is an object only if its first word points to metadata that passes all checks, and
/// its second word has the reference counts of an object that is alive. So stale memory isn't
/// mistaken for an object, whichever allocator it belongs to.
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
  /// The kinds of objects by metadata address. The value is nil for words that aren't metadata.
  private var kinds: [UInt: Kind?] = [:]
  /// Whether an address is metadata of a type other than a class. Some known addresses aren't
  /// metadata.
  private var knownTypes: [UInt: Bool] = [:]
  private let allocator: Allocator
  /// The first word of each slab, a part of the memory of a Task, or 0 if unknown.
  private let slabMark = trace_task_slab()
  /// The first word of each C block, or 0 if unknown.
  package let blockClass = trace_block_class()
  /// The layout of libdispatch's objects, or nil if libdispatch doesn't match it.
  package var dispatch: DispatchLayout?
  /// The address range of the file that contains libdispatch. Empty if libdispatch doesn't match
  /// its layout.
  package let dispatchImage: (start: UInt, size: UInt)
  /// The offset of the wrapped libdispatch object, by the metadata of the overlay class.
  package var wrappers: [UInt: UInt?] = [:]
  /// Whether a class is the buffer of a deque, by the address of its metadata.
  package var deques: [UInt: Bool] = [:]

  /// - Parameters:
  ///   - library: A library's description of its own types.
  ///   - followsDispatch: Whether to follow libdispatch's objects, if they match the known layout.
  package init?(library: any LibraryTypes, followsDispatch: Bool = true) {
    // The list of parts is read first, so that it doesn't include the memory for copies.
    guard var map = MemoryMap(), let memory = ProcessMemory() else { return nil }
    map.markVariables(memory)
    self.memory = memory
    self.map = map
    types = RuntimeTypes(library)
    allocator = Allocator(memory)
    let dispatch =
      followsDispatch ? DispatchLayout(mainQueue: trace_main_queue(), memory, map) : nil
    self.dispatch = dispatch
    dispatchImage = (
      dispatch?.image.lowerBound ?? 0, dispatch.map { UInt($0.image.count) } ?? 0
    )
  }

  /// Marks the stacks of threads. Words on them count as local variables.
  package func markStacks(_ stacks: (known: [UInt], areSomeUnknown: Bool)) {
    map.markStacks(at: stacks.known, areSomeUnknown: stacks.areSomeUnknown)
  }

  // MARK: Recognizing objects

  /// Returns the object at an address, or nil if there isn't one.
  package func object(at address: UInt) -> Object? {
    guard address & 15 == 0, address > 0x10000, let metadata = memory.word(address) else {
      return address & 15 == 8 && address > 0x10000 ? sourceState(at: address) : nil
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
    guard let counts = memory.word(address &+ 8) else { return false }
    if counts >> 62 == 3 {
      // The counts are in a side table, because the object has a weak reference or very many
      // references.
      let table = counts << 3 & 0x0000_FFFF_FFFF_FFF8
      guard table & 7 == 0, memory.word(table) == address, let inTable = memory.word(table &+ 16)
      else { return false }
      return inTable & 1 << 32 == 0
    }
    // Objects that are never deallocated have the highest bit set.
    if counts >> 63 == 1 { return true }
    // Other objects have the lowest bit set (only Swift deallocates them), bit 32 clear (not being
    // deallocated), and between these the count of unowned references, in which all strong
    // references count as one. An address in this word doesn't look like that.
    let unowned = counts & 0xFFFF_FFFF
    return unowned & 1 == 1 && counts & 1 << 32 == 0 && (2..<1 << 24).contains(unowned)
  }

  /// Returns the kind of the objects with this metadata, or nil if the address isn't metadata.
  package func kind(ofMetadata address: UInt) -> Kind? {
    if let known = kinds[address] { return known }
    guard address & 7 == 0, address > 0x10000 else { return nil }
    // Memory that only looks like metadata can name itself as its superclass.
    kinds[address] = .some(nil)
    let kind = describe(metadata: address)
    // There are too many words that aren't metadata to cache all of them.
    if kind != nil || kinds.count < 1 << 16 {
      kinds[address] = .some(kind)
    } else {
      kinds[address] = nil
    }
    return kind
  }

  private func describe(metadata address: UInt) -> Kind? {
    guard let kind = memory.word(address), kind <= Metadata.Kind.task,
      let destroy = memory.word(address &- 16), isCode(destroy)
    else { return nil }
    switch kind {
    case Metadata.Kind.classType: return classKind(address)
    case Metadata.Kind.closureContext:
      guard let offset = memory.half(address &+ 8), (16...4096).contains(offset),
        let captures = memory.word(address &+ 16), captures == 0 || isConstant(captures),
        isConstant(address)
      else { return nil }
      return .closure
    case Metadata.Kind.box:
      guard let offset = memory.half(address &+ 8), (16...4096).contains(offset),
        let type = memory.word(address &+ 16), isType(type)
      else { return nil }
      return .box
    case Metadata.Kind.errorBox: return isConstant(address) ? .errorBox : nil
    case Metadata.Kind.task: return isConstant(address) ? .task : nil
    default: return nil
    }
  }

  private func classKind(_ address: UInt) -> Kind? {
    guard let size = memory.half(address &+ 24), size >= 16, size < 1 << 24,
      let descriptor = memory.word(address &+ 40),
      let flags = descriptorFlags(descriptor), flags & 0x1F == 16,
      let superclass = memory.word(address &+ 8),
      superclass == 0 || kind(ofMetadata: superclass) != nil,
      hasWholeMetadata(address, descriptor, flags),
      let nameAddress = target(ofRelative: descriptor &+ 8), isConstant(nameAddress),
      let name = memory.text(nameAddress), !name.isEmpty
    else { return nil }
    switch name {
    case "_ContiguousArrayStorage": return isOfStandardLibrary(descriptor) ? .array : .instance
    case "_DictionaryStorage": return isOfStandardLibrary(descriptor) ? .dictionary : .instance
    case "_SetStorage": return isOfStandardLibrary(descriptor) ? .set : .instance
    default: return .instance
    }
  }

  /// Returns the flags at the start of a type descriptor, or nil if the address can't be a
  /// descriptor.
  private func descriptorFlags(_ descriptor: UInt) -> UInt32? {
    guard descriptor & 3 == 0, isConstant(descriptor) else { return nil }
    return memory.half(descriptor)
  }

  /// Returns the target of a relative pointer, or nil if the pointer is null or can't be read.
  private func target(ofRelative address: UInt) -> UInt? {
    guard let distance = memory.half(address), distance != 0 else { return nil }
    return address &+ UInt(bitPattern: Int(Int32(bitPattern: distance)))
  }

  /// Reports whether a type is declared at the top level of the standard library. User types can
  /// have the same names.
  private func isOfStandardLibrary(_ descriptor: UInt) -> Bool {
    guard var parent = target(ofRelative: descriptor &+ 4) else { return false }
    if parent & 1 != 0 {
      guard let known = memory.word(parent & ~1) else { return false }
      parent = known
    }
    // The kind of a module is 0.
    guard let flags = descriptorFlags(parent), flags & 0x1F == 0,
      let name = target(ofRelative: parent &+ 8)
    else { return false }
    return memory.text(name) == "Swift"
  }

  /// Reports whether all of a class's metadata can be read, including its generic arguments and the
  /// offsets of its fields. A stale copy can be cut off.
  private func hasWholeMetadata(_ address: UInt, _ descriptor: UInt, _ flags: UInt32) -> Bool {
    guard let fields = memory.half(descriptor &+ 36), let vector = memory.half(descriptor &+ 40),
      let words = memory.half(descriptor &+ 28), let own = memory.half(descriptor &+ 32)
    else { return false }
    var last = UInt(vector) + UInt(fields)
    // If the superclass is resilient, the descriptor doesn't contain the length of the metadata.
    let hasResilientSuperclass = flags & 1 << 29 != 0
    if !hasResilientSuperclass {
      guard words >= own else { return false }
      last = max(last, UInt(words))
    }
    guard last < 1 << 20 else { return false }
    let end = (address &+ last * 8 &- 1) / ProcessMemory.pageSize
    return (address / ProcessMemory.pageSize...end).allSatisfy {
      memory.word($0 * ProcessMemory.pageSize) != nil
    }
  }

  package func isCode(_ address: UInt) -> Bool { map.part(of: address)?.use == .code }

  /// Reports whether an address is in the file of the program or of a library.
  package func isConstant(_ address: UInt) -> Bool {
    guard address > 0x10000, let part = map.part(of: address) else { return false }
    return part.path != nil || part.use == .variables
  }

  /// Reports whether the metadata of a type is at an address.
  package func isType(_ address: UInt) -> Bool {
    if let known = knownTypes[address] { return known }
    guard address & 7 == 0, address > 0x10000, let kind = memory.word(address) else { return false }
    if kind == Metadata.Kind.classType { return self.kind(ofMetadata: address) != nil }
    // Memory that only looks like a type can name itself as a part of itself.
    knownTypes[address] = false
    let isType = looksLikeType(address, kind)
    knownTypes[address] = isType || knownTypes.count < 1 << 16 ? isType : nil
    return isType
  }

  private func looksLikeType(_ address: UInt, _ kind: UInt) -> Bool {
    guard (0x200...0x308).contains(kind), let witnesses = memory.word(address &- 8),
      let destroy = memory.word(witnesses &+ 8), isCode(destroy),
      let size = memory.word(witnesses &+ 64), size < 1 << 40
    else { return false }
    switch kind {
    case Metadata.Kind.structType: return hasDescriptor(address, ofKind: 17)
    case Metadata.Kind.enumType, Metadata.Kind.optional:
      // The functions that read the case are called later, so they must be code.
      return hasDescriptor(address, ofKind: 18)
        && [88, 96].allSatisfy { memory.word(witnesses &+ $0).map(isCode) ?? false }
    case Metadata.Kind.foreignClass: return hasDescriptor(address, ofKind: 16)
    case Metadata.Kind.tuple:
      guard let count = memory.word(address &+ 8), count < 1 << 16,
        let labels = memory.word(address &+ 16), labels == 0 || memory.text(labels) != nil
      else { return false }
      return (0..<count).allSatisfy { memory.word(address &+ 24 &+ $0 * 16).map(isType) ?? false }
    case Metadata.Kind.fixedArray:
      return memory.word(address &+ 16).map(isType) ?? false
    default:
      return memory.word(address &+ 8) != nil
    }
  }

  private func hasDescriptor(_ address: UInt, ofKind kind: UInt32) -> Bool {
    guard let descriptor = memory.word(address &+ 8), let flags = descriptorFlags(descriptor)
    else { return false }
    return flags & 0x1F == kind
  }

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
  package func size(of object: Object) -> Int {
    switch object.kind {
    case .instance:
      if let deque = DequeBuffer(object, in: self) { return deque.size }
      return Int(memory.half(object.metadata &+ 24) ?? 16)
    case .array:
      guard let element = types.argument(0, ofClass: object.metadata),
        let count = memory.word(object.address &+ 16), count < 1 << 40
      else { return 32 }
      let (size, overflows) = Int(count).multipliedReportingOverflow(by: element.stride)
      return overflows || size >= 1 << 40 ? 32 : Self.arrayStart(element) + size
    case .dictionary, .set: return 64
    case .closure:
      return closureLayout(object)?.size ?? contextSize(object) ?? 16
    case .box:
      let type = types.type(Metadata.type(at: memory.word(object.metadata &+ 16) ?? 0))
      return Int(memory.half(object.metadata &+ 8) ?? 16) + type.size
    case .errorBox: return 32
    case .task: return allocator.size(object.address) ?? Self.minTaskSize
    case .block, .dispatch: return foreignSize(of: object)
    }
  }

  /// The minimum size of a Task in bytes: its own fields, its result and its closure.
  private static let minTaskSize = 256
  /// The size of a slab's header: a marker, the next slab, the number of bytes, and the number of
  /// bytes in use (stdlib/public/runtime/StackAllocator.h).
  private static let slabHeader: UInt = 32
  private static let maxSlabBytes: UInt = 1 << 16

  /// Returns the slab, a part of the memory of a Task, that starts at an address.
  package func slab(at address: UInt) -> Range<UInt>? {
    guard slabMark != 0, address & 15 == 0, memory.word(address) == slabMark,
      let capacity = memory.half(address &+ 16).map(UInt.init), capacity <= Self.maxSlabBytes,
      let used = memory.half(address &+ 20).map(UInt.init), used <= capacity
    else { return nil }
    return address..<address &+ Self.slabHeader &+ capacity
  }

  /// Returns the slab that contains an address.
  package func slab(around address: UInt) -> Range<UInt>? {
    guard slabMark != 0 else { return nil }
    var start = address & ~15
    let lowest = start &- min(start, Self.maxSlabBytes)
    while start > lowest {
      if let slab = slab(at: start) { return slab.contains(address) ? slab : nil }
      start &-= 16
    }
    return nil
  }

  package static func arrayStart(_ element: RuntimeType) -> Int {
    CollectionLayout.start(after: CollectionLayout.arrayHeader, alignment: element.alignment)
  }

  /// Returns the allocated block that contains an address, or nil if the allocator's layout is
  /// unknown or there isn't one.
  package func block(around address: UInt) -> Range<UInt>? {
    allocator.block(around: address, in: blocks)
  }

  /// Returns the start of the block that contains an address, if the blocks there are listed.
  package func listedBlock(around address: UInt) -> BlockList.Answer {
    blocks.block(around: address)
  }

  /// The blocks of the allocator, listed on first use.
  private lazy var blocks = allocator.blocks(in: map.parts) { true }

  /// Reports whether an object can be at its address. If the allocator's layout is known, an object
  /// must be at the start of a block.
  package func mayBegin(_ object: Object) -> Bool {
    !allocator.isKnown || allocator.size(object.address) != nil
  }

  /// A Boolean value that indicates whether the layout of the allocator's blocks is known.
  package var seesBlocks: Bool { allocator.isKnown }

  /// Returns the number of bytes of the block that starts at an address, or nil if unknown.
  package func blockSize(_ address: UInt) -> Int? { allocator.size(address) }

  // MARK: Closures

  private var layouts: [UInt: ClosureLayout?] = [:]
  private var contextSizes: [UInt: Int?] = [:]

  /// Returns the number of bytes of a closure's context without a description.
  package func contextSize(_ closure: Object) -> Int? {
    let known =
      contextSizes[closure.metadata]
      ?? memory.word(closure.metadata &- 16).flatMap { ContextSize.size(freedBy: $0, memory) }
    contextSizes[closure.metadata] = .some(known)
    guard let block = allocator.size(closure.address) else {
      return known ?? describedContextSize(closure)
    }
    // The allocator rounds up to a multiple of 16, and doesn't leave a rest that is too small for a
    // block.
    return known.flatMap { $0 <= block && $0 > block - 32 ? $0 : nil } ?? block
  }

  /// Returns the number of bytes of a context that has one word for each captured value and each
  /// type in its description. The types of the values aren't known.
  private func describedContextSize(_ closure: Object) -> Int? {
    guard let descriptor = memory.word(closure.metadata &+ 16), descriptor != 0,
      let values = memory.half(descriptor), let types = memory.half(descriptor &+ 8),
      values < 32, types < 32
    else { return nil }
    return Int(memory.half(closure.metadata &+ 8) ?? 16) + 8 * Int(values + types)
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
