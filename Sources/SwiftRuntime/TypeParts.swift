/// The parts of types according to their metadata and descriptors.
///
/// The layouts are defined by the Swift ABI in the runtime's headers (`swift/ABI/Metadata.h`,
/// `swift/RemoteInspection/Records.h`).
package enum TypeParts {
  /// How a field holds its value.
  package enum Holding {
    case strong
    /// Weak, unowned or unmanaged.
    case notStrong
    /// The type of the field isn't described, so its words can be anything.
    case unknown
  }

  /// A field or a case.
  package struct Record {
    package let name: String
    /// The type of the field, or nil if it isn't described, like for noncopyable fields.
    package let type: Any.Type?
    package let holds: Holding
    package let isIndirect: Bool
    /// False for a case without a payload.
    package let isPresent: Bool
    /// The stored value, if the type isn't described but known by its name.
    package let stored: Stored?
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
    let descriptor = Metadata.load(address &+ 8, as: UInt.self)
    let vector = UInt(Metadata.load(descriptor &+ 24, as: UInt32.self))
    guard vector != 0, let records = records(ofValueType: address, hidden: hidden) else {
      return nil
    }
    return records.indices.map { index in
      let offset = Metadata.load(address &+ vector * 8 &+ UInt(index) * 4, as: UInt32.self)
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
    let count = Metadata.load(address &+ 8, as: Int.self)
    let labels = Metadata.load(address &+ 16, as: UInt.self)
    let names =
      labels == 0
      ? [] : Metadata.text(labels).split(separator: " ", omittingEmptySubsequences: false)
    return (0..<count).map { index in
      let element = address &+ 24 &+ UInt(index) * 16
      return (
        label: index < names.count ? String(names[index]) : "",
        type: Metadata.type(at: Metadata.load(element, as: UInt.self)),
        offset: Int(Metadata.load(element &+ 8, as: UInt32.self))
      )
    }
  }

  private static func records(
    ofValueType address: UInt, hidden: (UInt) -> Stored? = { _ in nil }
  ) -> [Record]? {
    records(
      Metadata.load(address &+ 8, as: UInt.self),
      arguments: UnsafeRawPointer(bitPattern: address &+ 16), hidden: hidden)
  }

  /// Returns the fields in the descriptor of a type, or nil if they aren't described.
  ///
  /// - Parameter hidden: Returns the stored value of a field with a noncopyable type, given the
  ///   address of the descriptor's replacement for the type. See `HiddenTypes`.
  package static func records(
    _ descriptor: UInt, arguments: UnsafeRawPointer?, hidden: (UInt) -> Stored? = { _ in nil }
  ) -> [Record]? {
    let table = Metadata.follow(descriptor &+ 16)
    guard table != 0 else { return nil }
    let size = UInt(Metadata.load(table &+ 10, as: UInt16.self))
    let count = Metadata.load(table &+ 12, as: UInt32.self)
    guard size >= 12 else { return nil }
    return (0..<UInt(count)).map { index in
      let record = table &+ 16 &+ index * size
      let flags = Metadata.load(record, as: UInt32.self)
      let name = Metadata.follow(record &+ 4)
      let mangled = name == 0 ? [] : Metadata.bytes(ofName: name)
      var type: Any.Type?
      var stored: Stored?
      if name != 0 {
        type = Metadata.type(
          ofName: name, mangled, context: descriptor, arguments: arguments)
        // For a noncopyable field, the compiler replaces the type with a function that returns the
        // empty tuple.
        if mangled.first == 9, type == Void.self {
          type = nil
          stored = hidden(name)
        }
      }
      return Record(
        name: Metadata.text(Metadata.follow(record &+ 8)), type: type,
        holds: Metadata.holding(ofName: mangled), isIndirect: flags & 1 != 0,
        isPresent: name != 0 || flags & 1 != 0, stored: stored)
    }
  }
}

/// The offsets of the elements in the standard library's collections, in bytes from the start of
/// the object.
package enum CollectionLayout {
  package static let count: UInt = 16
  /// The logarithm of the number of buckets of a dictionary or set, in one byte.
  package static let scale: UInt = 32
  /// The address of the keys of a dictionary or of the elements of a set.
  package static let keys: UInt = 48
  package static let values: UInt = 56
  /// One bit for each bucket in use.
  package static let dictionaryBits: UInt = 64
  package static let setBits: UInt = 56

  /// Returns the offset of the first value after a header of `header` bytes.
  package static func start(after header: Int, alignment: Int) -> Int {
    (header + alignment - 1) & ~(alignment - 1)
  }

  /// The sizes of the headers of an array and of a box in bytes.
  package static let arrayHeader = 32
  package static let boxHeader = 16
}
