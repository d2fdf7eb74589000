import CRuntime.Heap
import CodeLocations
import ProcessMemory
import SwiftRuntime

/// The layouts of types in the memory of a process.
final class TypeLayouts {
  /// The generic arguments of the type that declares a field.
  enum Arguments {
    case none
    /// The arguments in metadata, at an address.
    case metadata(UInt)
    case types([TypeTree])
    /// The types of the generic parameters of a function.
    case parameters([TypeTree: TypeTree])
  }

  /// Where generic parameters are among the arguments of a type, and the records of its fields.
  unowned let types: ObjectTypes
  private let memory: ProcessMemory
  private let metadata: MetadataReader
  /// Returns the parts of the memory that have a section of the program and its libraries.
  private let sections: (String) -> [Range<UInt>]
  private var known: [UInt: ValueLayout?] = [:]
  private var knownNames: [UInt: TypeTree] = [:]
  private lazy var associatedTypes = AssociatedTypes(types, sections)
  private var depth = 0
  private static let maxDepth = 32
  /// The maximum number of references of a value. An array in a value can have any number of
  /// elements.
  private static let maxReferences = 64
  private static let maxFields = 256

  init(_ types: ObjectTypes, sections: @escaping (String) -> [Range<UInt>]) {
    self.types = types
    memory = types.memory
    metadata = types.metadata
    self.sections = sections
  }

  // MARK: Types

  /// Returns the layout of the values of a type, or nil if it isn't known.
  func layout(ofType type: UInt) -> ValueLayout? {
    if let known = known[type] { return known }
    guard metadata.isType(type), let kind = memory.word(type), depth < Self.maxDepth else {
      return nil
    }
    // A type can't be a part of itself without a reference, unless the memory is damaged.
    known[type] = .some(nil)
    depth += 1
    let layout = limited(describe(type, kind))
    depth -= 1
    known[type] = .some(layout)
    return layout
  }

  private func limited(_ layout: ValueLayout?) -> ValueLayout? {
    guard var layout, layout.references.count > Self.maxReferences else { return layout }
    layout.references = []
    return layout
  }

  private func describe(_ type: UInt, _ kind: UInt) -> ValueLayout? {
    if kind == Metadata.Kind.classType || kind == Metadata.Kind.foreignClass { return .reference }
    guard let own = types.layout(ofValues: type) else { return nil }
    let opaque = ValueLayout.opaque(size: own.size, alignment: own.alignment)
    let found: ValueLayout? =
      switch kind {
      case Metadata.Kind.function:
        FunctionTypeLayout.hasContext(ofType: type, memory.word) ? .function : nil
      case Metadata.Kind.existential: existential(type, size: own.size)
      case Metadata.Kind.tuple: tuple(type)
      case Metadata.Kind.optional:
        memory.word(type &+ ValueTypeLayout.arguments).flatMap(layout(ofType:))
          .flatMap { .singlePayload($0, otherCases: 1) }
      case Metadata.Kind.structType:
        memory.word(type &+ ValueTypeLayout.descriptor)
          .flatMap { structure($0, type, .metadata(type &+ ValueTypeLayout.arguments)) }
      case Metadata.Kind.enumType:
        memory.word(type &+ ValueTypeLayout.descriptor).flatMap {
          enumeration($0, .metadata(type &+ ValueTypeLayout.arguments), size: own.size)
        }
      case Metadata.Kind.fixedArray: fixedArray(type)
      case Metadata.Kind.metatype: .pointer
      default: nil
      }
    // What the metadata says is right.
    return found?.size == own.size ? found : opaque
  }

  private func existential(_ type: UInt, size: Int) -> ValueLayout? {
    switch ExistentialLayout.representation(ofValuesOf: type, memory.half) {
    case .error: .reference
    case .reference: .existential(isOfClass: true, conformances: size / 8 - 1)
    case .opaque:
      .existential(
        isOfClass: false, conformances: (size - ExistentialLayout.type) / 8 - 1)
    case nil: nil
    }
  }

  private func tuple(_ type: UInt) -> ValueLayout? {
    guard let count = memory.word(type &+ TupleLayout.count), count <= UInt(Self.maxFields) else {
      return nil
    }
    var parts: [ValueLayout] = []
    var offsets: [Int] = []
    for index in 0..<count {
      let element = type &+ TupleLayout.elements &+ index * TupleLayout.elementSize
      guard let offset = memory.half(element &+ TupleLayout.elementOffset), offset < 1 << 24,
        let part = memory.word(element).flatMap(layout(ofType:))
      else { return nil }
      parts.append(part)
      offsets.append(Int(offset))
    }
    return .parts(parts, at: offsets)
  }

  private func fixedArray(_ type: UInt) -> ValueLayout? {
    guard let count = memory.word(type &+ FixedArrayLayout.count), count <= UInt(Self.maxFields)
    else { return nil }
    return memory.word(type &+ FixedArrayLayout.element).flatMap(layout(ofType:))
      .flatMap { array(of: $0, count: Int(count)) }
  }

  private func array(of element: ValueLayout, count: Int) -> ValueLayout? {
    guard element.references.count * count <= Self.maxReferences, count <= Self.maxFields else {
      return nil
    }
    return .parts(
      Array(repeating: element, count: count), at: (0..<count).map { $0 * element.stride })
  }

  // MARK: Names

  /// Returns the layout of the values of a type with a name, or nil if it isn't known.
  ///
  /// - Parameter descriptor: The type that declares the field.
  func layout(
    ofName name: UInt, in descriptor: UInt, _ arguments: Arguments
  ) -> ValueLayout? {
    layout(of: tree(name), in: descriptor, arguments)
  }

  func tree(_ name: UInt) -> TypeTree {
    if let known = knownNames[name] { return known }
    let tree = TypeTreeParser.type(at: name, memory, metadata)
    knownNames[name] = tree
    return tree
  }

  private func layout(
    of tree: TypeTree, in descriptor: UInt, _ arguments: Arguments
  ) -> ValueLayout? {
    guard depth < Self.maxDepth else { return nil }
    depth += 1
    defer { depth -= 1 }
    switch tree {
    case .metadata(let type): return layout(ofType: type)
    case .parameter, .associated:
      let type = resolved(tree, in: descriptor, arguments)
      switch type {
      case .parameter, .associated: return nil
      default: return layout(of: type, in: descriptor, .none)
      }
    case .tuple(let elements):
      var parts: [ValueLayout] = []
      for element in elements {
        guard let part = layout(of: element, in: descriptor, arguments) else { return nil }
        parts.append(part)
      }
      return .parts(parts)
    case .optional(let wrapped):
      return layout(of: wrapped, in: descriptor, arguments)
        .flatMap { .singlePayload($0, otherCases: 1) }
    case .function: return .function
    case .reference: return .reference
    case .uncounted(.existential(let protocols, _)),
      .uncounted(.optional(.existential(let protocols, _))):
      return .uncounted(size: 8 + 8 * protocols.count)
    case .uncounted: return .uncounted(size: ObjectLayout.reference)
    case .unmanaged: return .unmanaged
    case .identifier: return .identifier
    case .existential(let protocols, let isOfClass): return existential(protocols, isOfClass)
    case .number(let size): return .number(size)
    case .boolean: return .byte(below: 2)
    case .pointer: return .pointer
    case .string: return .string
    case .bridgedObject: return .bridgedObject
    case .integer, .unknown: return nil
    case .nominal(let nominal, let own):
      return layout(
        ofNominal: nominal, own.map { resolved($0, in: descriptor, arguments) })
    }
  }

  /// Returns a type with generic arguments in the place of parameters.
  private func resolved(
    _ tree: TypeTree, in descriptor: UInt, _ arguments: Arguments
  ) -> TypeTree {
    func resolved(_ tree: TypeTree) -> TypeTree { self.resolved(tree, in: descriptor, arguments) }
    if case .parameters(let known) = arguments, let type = known[tree] { return type }
    switch tree {
    case .parameter(let parameter):
      guard let place = types.place(of: parameter, inType: descriptor) else { return tree }
      switch arguments {
      case .none, .parameters: return tree
      case .metadata(let start):
        return place.argument
          .flatMap { memory.word(start &+ UInt($0) * MetadataLayout.wordSize) }
          .map { .metadata($0) } ?? tree
      case .types(let types):
        return types.indices.contains(place.position) ? types[place.position] : tree
      }
    case .nominal(let nominal, let own): return .nominal(nominal, arguments: own.map(resolved))
    case .tuple(let elements): return .tuple(elements.map(resolved))
    case .optional(let wrapped): return .optional(resolved(wrapped))
    case .associated(let base, let name):
      guard depth < Self.maxDepth else { return .unknown }
      depth += 1
      defer { depth -= 1 }
      return associatedTypes.type(name, of: resolved(base), resolving: self.resolved) ?? tree
    default: return tree
    }
  }

  private func existential(_ protocols: [UInt], _ isOfClass: Bool) -> ValueLayout? {
    var isOfClass = isOfClass
    for proto in protocols {
      if proto == TypeTreeParser.error { return protocols.count == 1 ? .reference : nil }
      if proto == TypeTreeParser.value { continue }
      if proto == TypeTreeParser.actor {
        isOfClass = true
        continue
      }
      guard let flags = metadata.descriptorFlags(proto) else { return nil }
      if flags.isErrorProtocol { return protocols.count == 1 ? .reference : nil }
      if flags.isClassProtocol { isOfClass = true }
    }
    return .existential(isOfClass: isOfClass, conformances: protocols.count)
  }

  /// The structures of the standard library that consist of a reference.
  private static let collections: Set = ["Array", "ContiguousArray", "Dictionary", "Set"]

  private func layout(ofNominal descriptor: UInt, _ arguments: [TypeTree]) -> ValueLayout? {
    guard let flags = metadata.descriptorFlags(descriptor) else { return nil }
    if flags.kind == DescriptorFlags.Kind.classType { return .reference }
    if let name = metadata.nameInStandardLibrary(descriptor) {
      if Self.collections.contains(name) { return .reference }
      if name == "Optional" {
        return arguments.first.flatMap { layout(of: $0, in: descriptor, .none) }
          .flatMap { .singlePayload($0, otherCases: 1) }
      }
      if name == "InlineArray", arguments.count == 2, case .integer(let count) = arguments[0] {
        return layout(of: arguments[1], in: descriptor, .none)
          .flatMap { array(of: $0, count: count) }
      }
      if name == FieldType.boolean { return .byte(below: 2) }
      if let size = FieldType.numbers[name] { return .number(size) }
      if name == FieldType.identifier { return .identifier }
    }
    if arguments.isEmpty, let type = metadata.plainMetadata(ofType: descriptor) {
      return layout(ofType: type)
    }
    guard !flags.isForeign else { return nil }
    return limited(
      flags.kind == DescriptorFlags.Kind.structType
        ? structure(descriptor, nil, .types(arguments))
        : enumeration(descriptor, .types(arguments), size: nil))
  }

  // MARK: Structures

  /// - Parameter type: The metadata of the structure, or nil if it isn't known.
  private func structure(
    _ descriptor: UInt, _ type: UInt?, _ arguments: Arguments
  ) -> ValueLayout? {
    if let name = metadata.nameInStandardLibrary(descriptor) {
      if Self.collections.contains(name) { return .reference }
      if name == FieldType.identifier { return .identifier }
    }
    guard let records = types.records(descriptor), records.count <= Self.maxFields else {
      return nil
    }
    guard !records.isEmpty else { return .empty }
    let parts = records.map { layout(ofName: $0.type, in: descriptor, arguments) }
    guard let type else {
      let known = parts.compactMap(\.self)
      return known.count == parts.count ? .parts(known) : nil
    }
    guard let own = types.layout(ofValues: type),
      let offsets = types.offsets(inStructure: type, count: records.count, descriptor)
    else { return nil }
    // A part that isn't known reaches to the next one.
    let ends = offsets.dropFirst() + [own.size]
    let whole = zip(parts, zip(offsets, ends)).map { part, place in
      part ?? .opaque(size: max(0, place.1 - place.0), alignment: 1)
    }
    guard zip(whole, offsets).allSatisfy({ $1 + $0.size <= own.size }) else { return nil }
    let joined = ValueLayout.parts(whole, at: offsets)
    return ValueLayout(
      size: own.size, alignment: own.alignment, references: joined.references,
      addresses: joined.addresses, extraInhabitants: joined.extraInhabitants)
  }

  // MARK: Enumerations

  /// - Parameter size: The size of the values according to the metadata, or nil if it isn't known.
  private func enumeration(
    _ descriptor: UInt, _ arguments: Arguments, size: Int?
  ) -> ValueLayout? {
    guard let cases = types.records(descriptor), cases.count <= Self.maxFields,
      let payloadCount = memory.half(descriptor &+ DescriptorLayout.payloadCases)
        .map({ Int($0 & 0xFF_FFFF) })
    else { return nil }
    var payloads: [ValueLayout] = []
    for one in cases where one.type != 0 {
      if one.isIndirect {
        payloads.append(.reference)
      } else {
        guard let payload = layout(ofName: one.type, in: descriptor, arguments) else { return nil }
        payloads.append(payload)
      }
    }
    guard payloads.count == payloadCount else { return nil }
    let otherCases = cases.count - payloadCount
    switch payloadCount {
    case 0: return otherCases <= 1 ? .empty : otherCases <= 256 ? .byte(below: otherCases) : nil
    case 1: return .singlePayload(payloads[0], otherCases: otherCases)
    default:
      if let mask = spareBits[descriptor] {
        return .multiPayload(payloads, otherCases: otherCases, .bits(mask))
      }
      // The metadata says whether a byte was added. That is always so in a generic enumeration.
      let whole = (payloads.map(\.size).max() ?? 0) + 1
      let isGeneric = metadata.descriptorFlags(descriptor)?.isGeneric == true
      return size.map { $0 == whole } ?? isGeneric
        ? .multiPayload(payloads, otherCases: otherCases, .byte) : nil
    }
  }

  /// The bits of values with several payloads that no payload uses, by the descriptors of the types
  /// (`MultiPayloadEnumDescriptor` in `swift/RemoteInspection/Records.h`).
  private lazy var spareBits: [UInt: [UInt8]] = readSpareBits()

  private func readSpareBits() -> [UInt: [UInt8]] {
    var found: [UInt: [UInt8]] = [:]
    for section in sections(SpareBitsLayout.section) {
      var record = section.lowerBound
      while record &+ SpareBitsLayout.header <= section.upperBound,
        let name = metadata.target(ofRelative: record),
        let flags = memory.half(record &+ SpareBitsLayout.flags), flags >> 16 > 0
      {
        if flags & SpareBitsLayout.usesSpareBits != 0, let mask = mask(ofRecord: record),
          case .nominal(let descriptor, _) = tree(name)
        {
          found[descriptor] = mask
        }
        record &+= SpareBitsLayout.flags &+ UInt(flags >> 16) * 4
      }
    }
    return found
  }

  private func mask(ofRecord record: UInt) -> [UInt8]? {
    guard let place = memory.half(record &+ SpareBitsLayout.place) else { return nil }
    let (offset, count) = (Int(place >> 16), UInt(place & 0xFFFF))
    guard count < 1 << 10, offset < 1 << 12 else { return nil }
    var mask = [UInt8](repeating: 0, count: offset)
    for index in 0..<count {
      let at = record &+ SpareBitsLayout.mask &+ index
      guard let four = memory.half(at & ~3) else { return nil }
      mask.append(UInt8(truncatingIfNeeded: four >> ((at & 3) * 8)))
    }
    return mask
  }
}
