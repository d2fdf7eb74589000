/// The parts of types according to their metadata and descriptors.
///
/// The offsets and numbers are in `MetadataLayout.swift` and `DescriptorLayout.swift`.
package enum TypeParts {
  /// A field or a case.
  package struct Record {
    package let name: String
    /// The type of the field, or nil if it isn't described, as for noncopyable fields.
    package let type: Any.Type?
    package let ownership: ReferenceOwnership
    package let isIndirect: Bool
    /// False for a case without a payload.
    package let isPresent: Bool
    /// The stored value, if the type isn't described but known by its name.
    let stored: Stored?
  }

  /// The stored value of a lock or an atomic value.
  package enum Stored {
    /// A value of a type at an offset, which is rounded up to the value's alignment.
    case value(Any.Type, after: Int)
    /// A strong reference.
    case reference
    /// A number or an address without a reference count.
    case nothing
  }

  /// Returns the fields of a structure and their offsets, or nil if they aren't described.
  package static func fields(
    ofStructure address: UInt, hidden: (UInt) -> Stored? = { _ in nil }
  ) -> [(record: Record, offset: Int)]? {
    let descriptor = Metadata.descriptor(ofValueType: address)
    let vector = UInt(
      Metadata.load(descriptor &+ DescriptorLayout.structFieldOffsets, as: UInt32.self))
    guard vector != 0, let records = records(ofValueType: address, hidden: hidden) else {
      return nil
    }
    let offsets = address &+ vector * MetadataLayout.wordSize
    return records.indices.map { index in
      let offset = Metadata.load(
        offsets &+ UInt(index) * ValueTypeLayout.fieldOffsetSize, as: UInt32.self)
      return (records[index], Int(offset))
    }
  }

  /// Returns the cases of an enumeration, in the order of their numbers, or nil if they aren't
  /// described.
  package static func cases(ofEnumeration address: UInt) -> [Record]? {
    records(ofValueType: address)
  }

  /// Returns the elements of a tuple. A label is empty if the element doesn't have one.
  package static func elements(ofTuple address: UInt) -> [(
    label: String, type: Any.Type, offset: Int
  )] {
    let count = Metadata.load(address &+ TupleLayout.count, as: Int.self)
    let labels = Metadata.load(address &+ TupleLayout.labels, as: UInt.self)
    let names =
      labels == 0
      ? [] : Metadata.text(labels).split(separator: " ", omittingEmptySubsequences: false)
    return (0..<count).map { index in
      let element = address &+ TupleLayout.elements &+ UInt(index) * TupleLayout.elementSize
      return (
        label: index < names.count ? String(names[index]) : "",
        type: Metadata.type(at: Metadata.load(element, as: UInt.self)),
        offset: Int(Metadata.load(element &+ TupleLayout.elementOffset, as: UInt32.self))
      )
    }
  }

  private static func records(
    ofValueType address: UInt, hidden: (UInt) -> Stored? = { _ in nil }
  ) -> [Record]? {
    records(
      Metadata.descriptor(ofValueType: address),
      arguments: UnsafeRawPointer(bitPattern: address &+ ValueTypeLayout.arguments),
      hidden: hidden)
  }

  /// Returns the fields in the descriptor of a type, or nil if they aren't described.
  ///
  /// - Parameter hidden: Returns the stored value of a field with a noncopyable type, given the
  ///   address of the descriptor's replacement for the type. See `HiddenTypes`.
  static func records(
    _ descriptor: UInt, arguments: UnsafeRawPointer?, hidden: (UInt) -> Stored? = { _ in nil }
  ) -> [Record]? {
    typealias Layout = FieldDescriptorLayout
    let table = Metadata.follow(descriptor &+ DescriptorLayout.fields)
    guard table != 0 else { return nil }
    let size = UInt(Metadata.load(table &+ Layout.recordSize, as: UInt16.self))
    let count = Metadata.load(table &+ Layout.count, as: UInt32.self)
    guard size >= Layout.minRecordSize else { return nil }
    return (0..<UInt(count)).map { index in
      let record = table &+ Layout.records &+ index * size
      let flags = Metadata.load(record &+ Layout.flags, as: UInt32.self)
      let isIndirect = flags & Layout.isIndirectCase != 0
      let address = Metadata.follow(record &+ Layout.type)
      let name = address == 0 ? nil : MangledName(at: address)
      var type: Any.Type?
      var stored: Stored?
      if let name {
        type = name.type(context: descriptor, arguments: arguments)
        // For a noncopyable field, the compiler replaces the type with a function that returns the
        // empty tuple.
        if name.isTypeFunction, type == Void.self {
          type = nil
          stored = hidden(address)
        }
      }
      return Record(
        name: Metadata.text(Metadata.follow(record &+ Layout.name)), type: type,
        ownership: name?.ownership ?? .strong, isIndirect: isIndirect,
        isPresent: name != nil || isIndirect, stored: stored)
    }
  }
}
