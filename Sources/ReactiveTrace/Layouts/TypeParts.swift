/// The parts of types, as their metadata and descriptors describe them.
///
/// The layouts are those of the Swift ABI, as the runtime's headers (`swift/ABI/Metadata.h`,
/// `swift/RemoteInspection/Records.h`) define them.
enum TypeParts {
  /// The way in which a field holds its value.
  enum Holding {
    case strong
    /// Weak, unowned or unmanaged.
    case notStrong
    /// The type of the field is not described, so its words may be anything.
    case unknown
  }

  /// A field or a case.
  struct Record {
    let name: String
    /// Nil if the type is not described, as for fields that cannot be copied.
    let type: Any.Type?
    let holds: Holding
    let isIndirect: Bool
    /// False for a case without a payload.
    let isPresent: Bool
    /// What the field stores, if its type isn't described but known by its name.
    let stored: Stored?
  }

  /// What a lock or an atomic value stores.
  enum Stored {
    /// A value of a type, after so many bytes that the value's alignment may increase.
    case value(Any.Type, after: Int)
    /// A strong reference.
    case reference
    /// A number or an address that isn't counted.
    case nothing
  }

  /// Returns the fields of a structure and their offsets, or nil if they are not described.
  static func fields(
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

  /// Returns the cases of an enumeration, in the order of their numbers, or nil if they are not
  /// described.
  static func cases(ofEnumeration address: UInt) -> [Record]? { records(ofValueType: address) }

  /// Returns the elements of a tuple. A label is empty if the element has none.
  static func elements(ofTuple address: UInt) -> [(label: String, type: Any.Type, offset: Int)] {
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

  /// Returns the fields in the descriptor of a type, or nil if they are not described.
  ///
  /// - Parameter hidden: Returns what a field stores whose type can't be copied, given the address
  ///   of what the descriptor has in place of its type. See `HiddenTypes`.
  static func records(
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
        // A function of the compiler stands in for the type of a field that cannot be copied. It
        // returns the empty tuple.
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

/// The places of the elements in the memory of the standard library's collections, in bytes from the
/// start of the object.
enum CollectionLayout {
  static let count: UInt = 16
  /// The logarithm of the number of buckets of a dictionary or set, in one byte.
  static let scale: UInt = 32
  /// The address of the keys of a dictionary or of the elements of a set.
  static let keys: UInt = 48
  static let values: UInt = 56
  /// One bit for each bucket in use.
  static let dictionaryBits: UInt = 64
  static let setBits: UInt = 56

  /// Returns the offset of the first value behind a header of `header` bytes.
  static func start(after header: Int, alignment: Int) -> Int {
    (header + alignment - 1) & ~(alignment - 1)
  }

  /// The sizes of the headers of an array and of a box in bytes.
  static let arrayHeader = 32
  static let boxHeader = 16
}
