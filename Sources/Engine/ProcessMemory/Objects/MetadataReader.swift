package import SwiftRuntime

/// Recognizes the metadata of types and objects in the memory of a process, without trusting any
/// address.
package final class MetadataReader {
  /// The kinds of objects that have metadata.
  package enum Kind: Sendable {
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
  }

  private let memory: ProcessMemory
  private let map: MemoryMap
  /// The kinds of objects by metadata address. The value is nil for words that aren't metadata.
  private var kinds: [UInt: Kind?] = [:]
  /// Whether an address is metadata of a type other than a class. Some known addresses aren't
  /// metadata.
  private var knownTypes: [UInt: Bool] = [:]
  /// The number of types of which the current one is a part, or a superclass.
  private var depth = 0
  /// The maximum number of superclasses, and of types in types. Memory that only looks like
  /// metadata can have any number.
  private static let maxDepth = 64
  /// The metadata by descriptor, or nil if it wasn't found.
  private var plainMetadata: [UInt: UInt?] = [:]

  /// - Parameter map: The parts of the memory, with the variables marked.
  package init(_ memory: ProcessMemory, _ map: MemoryMap) {
    self.memory = memory
    self.map = map
  }

  /// Returns the kind of the objects with this metadata, or nil if the address isn't metadata.
  package func kind(at address: UInt) -> Kind? {
    if let known = kinds[address] { return known }
    guard address & MetadataLayout.alignmentMask == 0, address > MemoryMap.lowestAddress,
      depth < Self.maxDepth
    else { return nil }
    depth += 1
    defer { depth -= 1 }
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
    guard let kind = memory.word(address), kind <= Metadata.Kind.lastOfObjects,
      let destroy = memory.word(address &- MetadataLayout.beforeDestroy), isCode(destroy)
    else { return nil }
    switch kind {
    case Metadata.Kind.classType: return classKind(address)
    case Metadata.Kind.closureContext:
      guard let offset = memory.half(address &+ ClosureContextLayout.firstCapture),
        Self.valueOffsets.contains(Int(offset)),
        let captures = memory.word(address &+ ClosureContextLayout.captures),
        captures == 0 || isConstant(captures), isConstant(address)
      else { return nil }
      return .closure
    case Metadata.Kind.box:
      guard let offset = memory.half(address &+ BoxLayout.value),
        Self.valueOffsets.contains(Int(offset)),
        let type = memory.word(address &+ BoxLayout.type), isType(type)
      else { return nil }
      return .box
    case Metadata.Kind.errorBox: return isConstant(address) ? .errorBox : nil
    case Metadata.Kind.task: return isConstant(address) ? .task : nil
    default: return nil
    }
  }

  /// The offsets of the first value in a closure's context or in a box. The maximum is the largest
  /// alignment.
  private static let valueOffsets = ObjectLayout.header...4096

  private func classKind(_ address: UInt) -> Kind? {
    guard let size = memory.half(address &+ ClassLayout.instanceSize), size >= ObjectLayout.header,
      size < 1 << 24, let descriptor = memory.word(address &+ ClassLayout.descriptor),
      let flags = descriptorFlags(descriptor), flags.kind == DescriptorFlags.Kind.classType,
      let superclass = memory.word(address &+ ClassLayout.superclass),
      superclass == 0 || kind(at: superclass) != nil,
      hasWholeMetadata(address, descriptor, flags),
      let nameAddress = target(ofRelative: descriptor &+ DescriptorLayout.name),
      isConstant(nameAddress),
      let name = memory.text(nameAddress), !name.isEmpty
    else { return nil }
    switch name {
    case CollectionLayout.arrayStorage:
      return isOfStandardLibrary(descriptor) ? .array : .instance
    case CollectionLayout.dictionaryStorage:
      return isOfStandardLibrary(descriptor) ? .dictionary : .instance
    case CollectionLayout.setStorage:
      return isOfStandardLibrary(descriptor) ? .set : .instance
    default: return .instance
    }
  }

  /// Returns the flags at the start of a type descriptor, or nil if the address can't be a
  /// descriptor.
  package func descriptorFlags(_ descriptor: UInt) -> DescriptorFlags? {
    guard descriptor & DescriptorLayout.alignmentMask == 0, isConstant(descriptor) else {
      return nil
    }
    return memory.half(descriptor).map { DescriptorFlags($0) }
  }

  /// Returns the target of a relative pointer, or nil if the pointer is null or can't be read.
  package func target(ofRelative address: UInt) -> UInt? {
    guard let distance = memory.half(address), distance != 0 else { return nil }
    return address &+ UInt(bitPattern: Int(Int32(bitPattern: distance)))
  }

  /// Reports whether a type is declared at the top level of the standard library. User types can
  /// have the same names.
  private func isOfStandardLibrary(_ descriptor: UInt) -> Bool {
    guard var parent = target(ofRelative: descriptor &+ DescriptorLayout.parent) else {
      return false
    }
    if parent & DescriptorLayout.isIndirect != 0 {
      guard let known = memory.word(parent & ~DescriptorLayout.isIndirect) else { return false }
      parent = known
    }
    guard let flags = descriptorFlags(parent), flags.kind == DescriptorFlags.Kind.module,
      let name = target(ofRelative: parent &+ DescriptorLayout.name)
    else { return false }
    return memory.text(name) == CollectionLayout.module
  }

  /// Returns the name of a type if it is declared at the top level of the standard library.
  package func nameInStandardLibrary(_ descriptor: UInt) -> String? {
    guard isOfStandardLibrary(descriptor) else { return nil }
    return target(ofRelative: descriptor &+ DescriptorLayout.name).flatMap { memory.text($0) }
  }

  /// The number of bytes of code in which the metadata of a type is searched.
  private static let accessorReach: UInt = 64
  /// The first bytes of instructions with a distance from their ends: `lea` and `mov` to `rax`
  /// (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2).
  private static let accessorCodes: [(UInt32, isLoad: Bool)] = [
    (0x05_8D48, false), (0x05_8B48, true),
  ]

  /// Returns the metadata of a structure or an enumeration without generic parameters, or nil if it
  /// isn't found.
  ///
  /// The function that returns the metadata contains its address, or that of a variable that has
  /// it. What is there must refer to the descriptor, so other code isn't mistaken for it.
  package func plainMetadata(ofType descriptor: UInt) -> UInt? {
    if let known = plainMetadata[descriptor] { return known }
    let found = findMetadata(ofType: descriptor)
    plainMetadata[descriptor] = .some(found)
    return found
  }

  private func findMetadata(ofType descriptor: UInt) -> UInt? {
    #if arch(x86_64)
      guard let flags = descriptorFlags(descriptor), !flags.isGeneric, !flags.isForeign,
        let code = target(ofRelative: descriptor &+ DescriptorLayout.accessFunction), isCode(code)
      else { return nil }
      for offset in 0..<Self.accessorReach {
        let place = code &+ offset
        guard let start = bytes(place) else { return nil }
        guard let known = Self.accessorCodes.first(where: { $0.0 == start & 0xFF_FFFF }),
          let distance = bytes(place &+ 3)
        else { continue }
        var address = place &+ 7 &+ UInt(bitPattern: Int(Int32(bitPattern: distance)))
        if known.isLoad {
          guard let loaded = memory.word(address) else { continue }
          address = loaded
        }
        // The metadata comes after the address of its value witnesses and a description.
        let found = [0, 8, 16].map { address &+ $0 }.first { metadata in
          memory.word(metadata &+ ValueTypeLayout.descriptor) == descriptor && isType(metadata)
        }
        if let found { return found }
      }
    #endif
    return nil
  }

  /// Returns four bytes at any address.
  private func bytes(_ address: UInt) -> UInt32? {
    guard let low = memory.half(address & ~3) else { return nil }
    let shift = UInt32(address & 3) * 8
    guard shift > 0 else { return low }
    return memory.half((address & ~3) &+ 4).map { low >> shift | $0 << (32 - shift) }
  }

  /// Reports whether all of a class's metadata can be read, including its generic arguments and the
  /// offsets of its fields. A stale copy can be truncated.
  private func hasWholeMetadata(_ address: UInt, _ descriptor: UInt, _ flags: DescriptorFlags)
    -> Bool
  {
    guard let fields = memory.half(descriptor &+ DescriptorLayout.classFieldCount),
      let vector = memory.half(descriptor &+ DescriptorLayout.classFieldOffsets),
      let words = memory.half(descriptor &+ DescriptorLayout.classWords),
      let own = memory.half(descriptor &+ DescriptorLayout.ownClassWords)
    else { return false }
    var last = UInt(vector) + UInt(fields)
    // If the superclass is resilient, the descriptor doesn't contain the length of the metadata.
    if !flags.hasResilientSuperclass {
      guard words >= own else { return false }
      last = max(last, UInt(words))
    }
    guard last < 1 << 20 else { return false }
    let (end, overflows) = address.addingReportingOverflow(last * MetadataLayout.wordSize)
    guard !overflows else { return false }
    return stride(
      from: address & ~(ProcessMemory.pageSize - 1), to: end, by: Int(ProcessMemory.pageSize)
    )
    .allSatisfy { memory.word($0) != nil }
  }

  package func isCode(_ address: UInt) -> Bool { map.part(of: address)?.use == .code }

  /// Returns the code to which the first word of a function leads, or nil if it isn't a function.
  /// That of an asynchronous function is the address of a distance to the code in the same file
  /// (`AsyncFunctionPointer` in `swift/ABI/AsyncLet.h`).
  package func code(_ word: UInt) -> UInt? {
    if isCode(word) { return word }
    // A constant object begins with an address instead, half of which can look like a distance.
    guard word & 3 == 0, isConstant(word), let first = memory.word(word),
      map.part(of: first) == nil, let target = target(ofRelative: word), isCode(target),
      map.part(of: target)?.path == map.part(of: word)?.path
    else { return nil }
    return target
  }

  /// Reports whether an address is in the file of the program or of a library.
  package func isConstant(_ address: UInt) -> Bool {
    guard address > MemoryMap.lowestAddress, let part = map.part(of: address) else { return false }
    return part.path != nil || part.use == .variables
  }

  /// Reports whether the metadata of a type is at an address.
  package func isType(_ address: UInt) -> Bool {
    if let known = knownTypes[address] { return known }
    guard address & MetadataLayout.alignmentMask == 0, address > MemoryMap.lowestAddress,
      depth < Self.maxDepth, let kind = memory.word(address)
    else { return false }
    depth += 1
    defer { depth -= 1 }
    if kind == Metadata.Kind.classType { return self.kind(at: address) != nil }
    // Memory that only looks like a type can name itself as a part of itself.
    knownTypes[address] = false
    let isType = looksLikeType(address, kind)
    knownTypes[address] = isType || knownTypes.count < 1 << 16 ? isType : nil
    return isType
  }

  private func looksLikeType(_ address: UInt, _ kind: UInt) -> Bool {
    guard Metadata.Kind.ofValues.contains(kind),
      let witnesses = memory.word(address &- MetadataLayout.beforeWitnesses),
      let destroy = memory.word(witnesses &+ ValueWitnessLayout.destroy), isCode(destroy),
      let size = memory.word(witnesses &+ ValueWitnessLayout.size), size < 1 << 40
    else { return false }
    switch kind {
    case Metadata.Kind.structType:
      return hasDescriptor(address, ofKind: DescriptorFlags.Kind.structType)
    case Metadata.Kind.enumType, Metadata.Kind.optional:
      guard hasDescriptor(address, ofKind: DescriptorFlags.Kind.enumType) else { return false }
      // An enumeration without cases, such as `Never`, doesn't have the functions that read the
      // case. Otherwise, they are called later, so they must be code.
      return memory.half(witnesses &+ ValueWitnessLayout.flags).map {
        $0 & ValueWitnessLayout.hasEnumWitnesses == 0
      } ?? false
        || [ValueWitnessLayout.caseNumber, ValueWitnessLayout.extractPayload].allSatisfy {
          memory.word(witnesses &+ $0).map(isCode) ?? false
        }
    case Metadata.Kind.foreignClass:
      return hasDescriptor(address, ofKind: DescriptorFlags.Kind.classType)
    case Metadata.Kind.tuple:
      guard let count = memory.word(address &+ TupleLayout.count), count < 1 << 16,
        let labels = memory.word(address &+ TupleLayout.labels),
        labels == 0 || memory.text(labels) != nil
      else { return false }
      let elements = address &+ TupleLayout.elements
      return (0..<count).allSatisfy {
        memory.word(elements &+ $0 * TupleLayout.elementSize).map(isType) ?? false
      }
    case Metadata.Kind.fixedArray:
      return memory.word(address &+ FixedArrayLayout.element).map(isType) ?? false
    default:
      return memory.word(address &+ MetadataLayout.wordSize) != nil
    }
  }

  private func hasDescriptor(_ address: UInt, ofKind kind: UInt32) -> Bool {
    guard let descriptor = memory.word(address &+ ValueTypeLayout.descriptor),
      let flags = descriptorFlags(descriptor)
    else { return false }
    return flags.kind == kind
  }
}
