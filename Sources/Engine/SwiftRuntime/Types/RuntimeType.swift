/// A type of the running program, as its metadata describes it.
///
/// Offsets are in bytes.
package final class RuntimeType {
  /// The kinds of types, according to the references that their values have.
  package enum Shape {
    /// A value without references, or with references that aren't strong.
    case plain
    /// One strong reference to an object, in the first word. It may be null.
    case reference
    /// A function with its context: the code in the first word, the context in the second.
    case function
    /// A value of any type in three words, or in a box, with its type in the fourth word.
    case existential
    /// An error in a box, in the first word.
    case error
    /// A value of several parts, one after another.
    case fields([Field])
    /// A value that is one of several cases.
    case cases([Payload?])
    /// A table of references that its owner manages by hand.
    case table(ReferenceTable)
    /// A value without a description of its parts. Each of its words can be a reference.
    case opaque
  }

  /// A part of a value.
  package struct Field {
    package let name: String
    package let offset: Int
    package let type: RuntimeType
    package var ownership = ReferenceOwnership.strong
    /// The number of bytes to scan, if the type is unknown.
    package var size: Int
  }

  /// The associated value of an enumeration case.
  package struct Payload {
    package let name: String
    package let type: RuntimeType
    /// A Boolean value that indicates whether the value is in a box.
    package let isIndirect: Bool
  }

  package let address: UInt
  package let size: Int
  package let alignment: Int
  /// A Boolean value that indicates whether values of the type can have references, and aren't
  /// plain bytes.
  package let hasReferences: Bool
  package fileprivate(set) var shape = Shape.plain
  private let made: Any.Type

  fileprivate init(_ type: Any.Type, size: Int, alignment: Int, hasReferences: Bool) {
    made = type
    address = Metadata.address(of: type)
    self.size = size
    self.alignment = alignment
    self.hasReferences = hasReferences
  }

  package var type: Any.Type { made }
  /// A Boolean value that indicates whether an existential container stores the value inline
  /// instead of in a box.
  package var isInline: Bool {
    if case .reference = shape, size == ObjectLayout.reference { return true }
    return ValueWitnesses(address)?.isInline ?? true
  }
  package var stride: Int { max(1, (size + alignment - 1) & ~(alignment - 1)) }

  /// The name in the source, without modules: `Array<Screen>`.
  package var name: String { String(describing: made) }

  fileprivate func become(_ shape: Shape) { self.shape = shape }
}

/// The types that an explanation has encountered, each described once.
package final class RuntimeTypes {
  private let library: any LibraryTypes
  private var known: [UInt: RuntimeType] = [:]

  package init(_ library: any LibraryTypes) { self.library = library }

  deinit {
    // A type can contain itself, and such types retain each other.
    for type in known.values { type.become(.plain) }
  }

  /// Returns the stored value of a field with a noncopyable type. See `HiddenTypes`.
  package var hidden: (UInt) -> TypeParts.Stored? = { _ in nil }

  /// Returns the description of a type.
  package func type(_ type: Any.Type) -> RuntimeType {
    let address = Metadata.address(of: type)
    if let known = known[address] { return known }
    let kind = Metadata.kind(at: address)
    let isClass = kind == Metadata.Kind.classType || kind == Metadata.Kind.foreignClass
    let witnesses = isClass ? nil : ValueWitnesses(address)
    // Without Objective-C, block types don't have value witnesses.
    let reference = ObjectLayout.reference
    guard isClass || witnesses != nil else {
      let block = RuntimeType(type, size: reference, alignment: reference, hasReferences: false)
      known[address] = block
      return block
    }
    // The table manages its memory by hand, so Swift treats it as plain bytes.
    let isTable = library.table(of: type) != nil
    let described = RuntimeType(
      type, size: witnesses?.size ?? reference, alignment: witnesses?.alignment ?? reference,
      hasReferences: witnesses?.hasReferences ?? true || isTable)
    // The type is stored before its parts are described, because it may contain itself through
    // references.
    known[address] = described
    described.become(described.hasReferences ? shape(of: described, kind) : .plain)
    return described
  }

  private func shape(of type: RuntimeType, _ kind: UInt) -> RuntimeType.Shape {
    let address = type.address
    switch kind {
    case Metadata.Kind.classType, Metadata.Kind.foreignClass:
      return .reference
    case Metadata.Kind.structType:
      if let table = library.table(of: type.type) { return .table(table) }
      return structShape(type)
    case Metadata.Kind.enumType, Metadata.Kind.optional:
      return enumShape(type)
    case Metadata.Kind.tuple:
      return tupleShape(address, size: type.size)
    case Metadata.Kind.function:
      let flags = Metadata.load(address &+ FunctionTypeLayout.flags, as: UInt.self)
      return FunctionTypeLayout.hasContext(flags) ? .function : .plain
    case Metadata.Kind.existential:
      return existentialShape(address)
    case Metadata.Kind.metatype, Metadata.Kind.existentialMetatype:
      return .plain
    case Metadata.Kind.fixedArray:
      return fixedArrayShape(address, size: type.size)
    default:
      return .opaque
    }
  }

  /// The maximum number of elements of a fixed-length array that is described.
  private static let maxElements = 1 << 12

  private func fixedArrayShape(_ address: UInt, size: Int) -> RuntimeType.Shape {
    let count = Metadata.load(address &+ FixedArrayLayout.count, as: Int.self)
    let element = type(
      Metadata.type(at: Metadata.load(address &+ FixedArrayLayout.element, as: UInt.self)))
    guard count <= Self.maxElements, max(0, count) * element.stride <= size else { return .opaque }
    return .fields(
      (0..<max(0, count)).map { index in
        RuntimeType.Field(
          name: "[\(index)]", offset: index * element.stride, type: element, size: element.size)
      })
  }

  private func existentialShape(_ address: UInt) -> RuntimeType.Shape {
    switch ExistentialLayout.representation(ofValuesOf: address) {
    case .reference: .reference
    case .opaque: .existential
    case .error: .error
    case nil: .opaque
    }
  }

  private func tupleShape(_ address: UInt, size: Int) -> RuntimeType.Shape {
    let fields = TypeParts.elements(ofTuple: address).enumerated().map { index, element in
      let part = type(element.type)
      let name = element.label.isEmpty ? "\(index)" : element.label
      return RuntimeType.Field(name: name, offset: element.offset, type: part, size: part.size)
    }
    return fields.allSatisfy { $0.offset + $0.size <= size } ? .fields(fields) : .opaque
  }

  // MARK: Structures and enumerations

  private func structShape(_ type: RuntimeType) -> RuntimeType.Shape {
    guard let parts = TypeParts.fields(ofStructure: type.address, hidden: hidden) else {
      return .opaque
    }
    // If a structure has references but no fields, its layout is known only in its module.
    if parts.isEmpty { return .opaque }
    return fields(parts.map(\.record), parts.map(\.offset), within: 0..<type.size)
      .map { .fields($0) } ?? .opaque
  }

  private func enumShape(_ type: RuntimeType) -> RuntimeType.Shape {
    guard let records = TypeParts.cases(ofEnumeration: type.address), !records.isEmpty else {
      return .opaque
    }
    return .cases(
      records.map { record in
        guard record.isPresent else { return nil }
        guard let payload = record.type else {
          return record.isIndirect
            ? RuntimeType.Payload(
              name: record.name, type: self.type(AnyObject.self), isIndirect: true)
            : nil
        }
        return RuntimeType.Payload(
          name: record.name, type: self.type(payload), isIndirect: record.isIndirect)
      })
  }

  /// Returns fields with their offsets, or nil if some aren't within the value. In that case, the
  /// memory only looks like metadata.
  private func fields(
    _ records: [TypeParts.Record], _ offsets: [Int], within range: Range<Int>
  ) -> [RuntimeType.Field]? {
    guard offsets.allSatisfy({ range.contains($0) || $0 == range.upperBound }) else { return nil }
    let end = range.upperBound
    let fields = records.indices.map { index in
      let record = records[index]
      if let field = storedField(record, at: offsets[index], end: end) { return field }
      let type = self.type(record.type ?? Void.self)
      var ownership = record.ownership
      if record.type == nil { ownership = ownership == .notStrong ? .notStrong : .unknown }
      let next = offsets.filter { $0 > offsets[index] }.min() ?? end
      return RuntimeType.Field(
        name: record.name, offset: offsets[index], type: type, ownership: ownership,
        size: ownership == .unknown ? next - offsets[index] : type.size)
    }
    return fields.allSatisfy { $0.offset + $0.size <= end } ? fields : nil
  }

  /// Returns the field for the stored value of a lock or an atomic value.
  private func storedField(
    _ record: TypeParts.Record, at offset: Int, end: Int
  ) -> RuntimeType.Field? {
    switch record.stored {
    case .value(let value, let header):
      let type = self.type(value)
      let start = (offset + header + type.alignment - 1) & ~(type.alignment - 1)
      guard start + type.size <= end else { return nil }
      return RuntimeType.Field(name: record.name, offset: start, type: type, size: type.size)
    case .reference:
      return RuntimeType.Field(
        name: record.name, offset: offset, type: type(AnyObject.self),
        size: ObjectLayout.reference)
    case .nothing:
      return RuntimeType.Field(
        name: record.name, offset: offset, type: type(Void.self), ownership: .notStrong, size: 0)
    case nil: return nil
    }
  }

  // MARK: Classes

  private var knownClasses: [UInt: [RuntimeType.Field]?] = [:]

  /// Returns the fields of an object, including those of its superclasses, or nil if a superclass
  /// isn't described.
  package func fields(ofClass address: UInt) -> [RuntimeType.Field]? {
    if let known = knownClasses[address] { return known }
    let fields = describe(class: address)
    knownClasses[address] = fields
    return fields
  }

  private func describe(class address: UInt) -> [RuntimeType.Field]? {
    let descriptor = Metadata.load(address &+ ClassLayout.descriptor, as: UInt.self)
    let superclass = Metadata.load(address &+ ClassLayout.superclass, as: UInt.self)
    var inherited: [RuntimeType.Field] = []
    if superclass != 0 {
      guard let known = fields(ofClass: superclass) else { return nil }
      inherited = known
    }
    // If the superclass is resilient, the offsets are stored elsewhere.
    guard !Self.flags(ofDescriptor: descriptor).hasResilientSuperclass else { return nil }
    let count = Metadata.load(descriptor &+ DescriptorLayout.classFieldCount, as: UInt32.self)
    let vector = UInt(
      Metadata.load(descriptor &+ DescriptorLayout.classFieldOffsets, as: UInt32.self))
    guard count > 0 else { return inherited }
    guard vector != 0,
      let records = TypeParts.records(
        descriptor, arguments: Self.arguments(ofClass: address), hidden: hidden),
      records.count == Int(count)
    else { return nil }
    let offsets = records.indices.map { index in
      Metadata.load(address &+ (vector + UInt(index)) * MetadataLayout.wordSize, as: Int.self)
    }
    let size = Int(Metadata.load(address &+ ClassLayout.instanceSize, as: UInt32.self))
    guard var own = fields(records, offsets, within: 0..<max(size, ObjectLayout.header)) else {
      return nil
    }
    let stored = library.storedValues(of: Metadata.type(at: address))
    if !stored.isEmpty {
      own = own.map { field in
        guard let value = stored.first(where: { $0.name == field.name }) else { return field }
        let type = self.type(value.type)
        let offset = value.isAfterLock ? field.offset + type.alignment : field.offset
        return RuntimeType.Field(name: field.name, offset: offset, type: type, size: type.size)
      }
    }
    return inherited + withFieldsCountedByHand(own, ofClass: address)
  }

  /// Returns the address of the generic arguments of a class.
  package static func arguments(ofClass address: UInt) -> UnsafeRawPointer? {
    let descriptor = Metadata.load(address &+ ClassLayout.descriptor, as: UInt.self)
    if flags(ofDescriptor: descriptor).hasResilientSuperclass {
      // The superclass is resilient, so the runtime stores the offset.
      let bounds = Metadata.follow(descriptor &+ DescriptorLayout.classBounds)
      guard bounds != 0 else { return nil }
      return UnsafeRawPointer(
        bitPattern: address &+ UInt(bitPattern: Metadata.load(bounds, as: Int.self)))
    }
    let words = Metadata.load(descriptor &+ DescriptorLayout.classWords, as: UInt32.self)
    let own = Metadata.load(descriptor &+ DescriptorLayout.ownClassWords, as: UInt32.self)
    return UnsafeRawPointer(bitPattern: address &+ UInt(words &- own) * MetadataLayout.wordSize)
  }

  private static func flags(ofDescriptor descriptor: UInt) -> DescriptorFlags {
    DescriptorFlags(Metadata.load(descriptor, as: UInt32.self))
  }

  /// Returns the generic argument of a class at a zero-based index.
  package func argument(_ index: Int, ofClass address: UInt) -> RuntimeType? {
    guard let arguments = Self.arguments(ofClass: address) else { return nil }
    let argument = Metadata.load(
      UInt(bitPattern: arguments) &+ UInt(index) * MetadataLayout.wordSize, as: UInt.self)
    return argument == 0 ? nil : type(Metadata.type(at: argument))
  }
}
