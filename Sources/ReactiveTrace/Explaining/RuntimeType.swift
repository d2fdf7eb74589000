import ReactiveKit

/// A type of the running program, as its metadata describes it.
///
/// The layouts are those of the Swift ABI on platforms without Objective-C, as the runtime's headers
/// (`swift/ABI/Metadata.h`, `MetadataValues.h`) define them. Offsets are in bytes.
final class RuntimeType {
  /// The kinds of types, by what they mean for references.
  enum Shape {
    /// A value without any reference, or one whose references do not count.
    case plain
    /// One strong reference to an object, in the first word. It may be null.
    case reference
    /// A function with its context: the code in the first word, the context in the second.
    case function
    /// A value of any type in three words, or in a box, with its type in the fourth word.
    case existential
    /// An error in a box, in the first word.
    case error
    /// Parts, one after another.
    case fields([Field])
    /// One of several cases.
    case cases([Payload?])
    /// The table of observers of a subject.
    case observerTable
    /// A value whose parts are not described. All its words may be references.
    case opaque
  }

  /// A part of a value.
  struct Field {
    let name: String
    let offset: Int
    let type: RuntimeType
    var holds = Holding.strong
    /// The number of bytes to look at, if the type is not known.
    var size: Int
  }

  /// The value that goes with a case of an enumeration.
  struct Payload {
    let name: String
    let type: RuntimeType
    /// A Boolean value that indicates whether the value is in a box.
    let isIndirect: Bool
  }

  enum Holding {
    case strong
    /// Weak, unowned or unmanaged.
    case notStrong
    /// The type of the field is not described, so its words may be anything.
    case unknown
  }

  let address: UInt
  let size: Int
  let alignment: Int
  /// False if values of the type are only bytes.
  let hasReferences: Bool
  fileprivate(set) var shape = Shape.plain
  private let made: Any.Type

  fileprivate init(_ type: Any.Type, size: Int, alignment: Int, hasReferences: Bool) {
    made = type
    address = UInt(bitPattern: unsafeBitCast(type, to: UnsafeRawPointer.self))
    self.size = size
    self.alignment = alignment
    self.hasReferences = hasReferences
  }

  var type: Any.Type { made }
  /// A Boolean value that indicates whether a container for any type keeps the value itself, and
  /// not a box.
  var isInline: Bool {
    if case .reference = shape, size == 8 { return true }
    let witnesses = Metadata.load(address &- 8, as: UInt.self)
    return witnesses == 0 || Metadata.load(witnesses &+ 80, as: UInt32.self) & 0x20000 == 0
  }
  var stride: Int { max(1, (size + alignment - 1) & ~(alignment - 1)) }

  /// The name in the source, without modules: `Array<Screen>`.
  var name: String { String(describing: made) }

  fileprivate func become(_ shape: Shape) { self.shape = shape }

  /// Returns the number of the case that a value has. `bytes` is a copy of the value.
  func caseNumber(of bytes: UnsafeRawPointer) -> Int {
    typealias Function =
      @convention(c) (_ value: UnsafeRawPointer, _ type: UnsafeRawPointer) -> UInt32
    let function = witness(at: 88, as: Function.self)
    return metadata.map { Int(function(bytes, $0)) } ?? 0
  }

  /// Turns a copy of a value of the enumeration into the payload of its case.
  func extractPayload(_ bytes: UnsafeMutableRawPointer) {
    typealias Function =
      @convention(c) (_ value: UnsafeMutableRawPointer, _ type: UnsafeRawPointer) -> Void
    let function = witness(at: 96, as: Function.self)
    if let metadata { function(bytes, metadata) }
  }

  private var metadata: UnsafeRawPointer? { UnsafeRawPointer(bitPattern: address) }

  private func witness<Function>(at offset: Int, as type: Function.Type) -> Function {
    let table = Metadata.load(address &- 8, as: UInt.self)
    return unsafeBitCast(Metadata.load(table &+ UInt(offset), as: UInt.self), to: Function.self)
  }
}

/// Functions that read metadata whose address is known to be right.
enum Metadata {
  static func load<Value: BitwiseCopyable>(_ address: UInt, as type: Value.Type) -> Value {
    // The address was checked, or comes from checked metadata.
    UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped.loadUnaligned(as: type)
  }

  /// Returns the address that a relative pointer leads to, or 0 for a null pointer.
  static func follow(_ address: UInt) -> UInt {
    let distance = load(address, as: Int32.self)
    return distance == 0 ? 0 : UInt(bitPattern: Int(bitPattern: address) &+ Int(distance))
  }

  static func text(_ address: UInt) -> String {
    UnsafePointer<CChar>(bitPattern: address).map { String(cString: $0) } ?? ""
  }

  /// The kinds of metadata that matter here.
  enum Kind {
    static let classType: UInt = 0
    static let structType: UInt = 0x200
    static let enumType: UInt = 0x201
    static let optional: UInt = 0x202
    static let foreignClass: UInt = 0x203
    static let tuple: UInt = 0x301
    static let function: UInt = 0x302
    static let existential: UInt = 0x303
    static let metatype: UInt = 0x304
    static let existentialMetatype: UInt = 0x306
    static let extendedExistential: UInt = 0x307
    static let fixedArray: UInt = 0x308
    static let closureContext: UInt = 0x400
    static let box: UInt = 0x500
    static let errorBox: UInt = 0x501
    static let task: UInt = 0x502
  }

  /// Returns the length of a mangled name. Symbolic references have four or eight bytes after their
  /// kind, and these may be 0.
  static func length(ofName name: UInt) -> Int {
    var length: UInt = 0
    while true {
      let byte = load(name &+ length, as: UInt8.self)
      switch byte {
      case 0: return Int(length)
      case 1...0x17: length += 5
      case 0x18...0x1F: length += 9
      default: length += 1
      }
    }
  }

  static func bytes(ofName name: UInt) -> [UInt8] {
    (0..<length(ofName: name)).map { load(name &+ UInt($0), as: UInt8.self) }
  }

  /// Returns the type of a mangled name in the context of a generic type. Returns nil if the name
  /// contains a block: without Objective-C, the runtime makes types of blocks that lack the functions
  /// for their values, and crashes over an optional block.
  static func type(
    ofName name: UInt, _ bytes: [UInt8], context: UInt, arguments: UnsafeRawPointer?
  ) -> Any.Type? {
    guard let pointer = UnsafePointer<UInt8>(bitPattern: name), !containsBlock(bytes) else {
      return nil
    }
    return _getTypeByMangledNameInContext(
      pointer, UInt(bytes.count),
      genericContext: UnsafeRawPointer(bitPattern: context), genericArguments: arguments)
  }

  /// Reports whether a mangled name has the operator of a block, `XB`, outside of identifiers.
  static func containsBlock(_ name: [UInt8]) -> Bool {
    var index = 0
    while index < name.count {
      let byte = name[index]
      switch byte {
      case 1...0x17: index += 5
      case 0x18...0x1F: index += 9
      case UInt8(ascii: "1")...UInt8(ascii: "9"):
        // An identifier with its length before it.
        var length = 0
        while index < name.count, 0x30...0x39 ~= name[index], length < name.count {
          length = length * 10 + Int(name[index] - 0x30)
          index += 1
        }
        index += length
      default:
        if byte == UInt8(ascii: "X"), index + 1 < name.count, name[index + 1] == UInt8(ascii: "B") {
          return true
        }
        index += 1
      }
    }
    return false
  }

  /// Returns how a field with a mangled type holds its value. Weak, unowned and unmanaged
  /// references end in a word of their own.
  static func holding(ofName bytes: [UInt8]) -> RuntimeType.Holding {
    guard bytes.count > 2, bytes[bytes.count - 2] == UInt8(ascii: "X") else { return .strong }
    switch bytes[bytes.count - 1] {
    case UInt8(ascii: "w"), UInt8(ascii: "o"), UInt8(ascii: "u"): return .notStrong
    default: return .strong
    }
  }
}

/// The types that an explanation has met, each described once.
final class RuntimeTypes {
  private var known: [UInt: RuntimeType] = [:]

  /// Returns the description of a type.
  func type(_ type: Any.Type) -> RuntimeType {
    let address = UInt(bitPattern: unsafeBitCast(type, to: UnsafeRawPointer.self))
    if let known = known[address] { return known }
    let kind = Metadata.load(address, as: UInt.self)
    let witnesses = Metadata.load(address &- 8, as: UInt.self)
    let isClass = kind == Metadata.Kind.classType || kind == Metadata.Kind.foreignClass
    // Blocks have no functions for their values where there is no Objective-C.
    guard isClass || witnesses != 0 else {
      let block = RuntimeType(type, size: 8, alignment: 8, hasReferences: false)
      known[address] = block
      return block
    }
    let size = isClass ? 8 : Metadata.load(witnesses &+ 64, as: Int.self)
    let flags = isClass ? 0x10007 : Metadata.load(witnesses &+ 80, as: UInt32.self)
    // The table manages its memory by hand, so to the language it is only bytes.
    let isTable = type == ObserverTableLayout.type
    let described = RuntimeType(
      type, size: size, alignment: Int(flags & 0xFF) + 1,
      hasReferences: flags & 0x10000 != 0 || isTable)
    // Known before its parts are, because a type may contain itself through references.
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
      if type.type == ObserverTableLayout.type { return .observerTable }
      return structShape(type)
    case Metadata.Kind.enumType, Metadata.Kind.optional:
      return enumShape(type)
    case Metadata.Kind.tuple:
      return tupleShape(address, size: type.size)
    case Metadata.Kind.function:
      let convention = Metadata.load(address &+ 8, as: UInt.self) >> 16 & 0xFF
      return convention == 0 ? .function : .plain
    case Metadata.Kind.existential:
      return existentialShape(address, size: type.size)
    case Metadata.Kind.metatype, Metadata.Kind.existentialMetatype:
      return .plain
    case Metadata.Kind.fixedArray:
      return fixedArrayShape(address, size: type.size)
    default:
      return .opaque
    }
  }

  /// The most elements of an array of fixed length that are described.
  private static let mostElements = 1 << 12

  private func fixedArrayShape(_ address: UInt, size: Int) -> RuntimeType.Shape {
    let count = Metadata.load(address &+ 8, as: Int.self)
    let element = type(Self.metatype(Metadata.load(address &+ 16, as: UInt.self)))
    guard count <= Self.mostElements, max(0, count) * element.stride <= size else { return .opaque }
    return .fields(
      (0..<max(0, count)).map { index in
        RuntimeType.Field(
          name: "[\(index)]", offset: index * element.stride, type: element, size: element.size)
      })
  }

  private func existentialShape(_ address: UInt, size: Int) -> RuntimeType.Shape {
    let flags = Metadata.load(address &+ 8, as: UInt32.self)
    // Bit 31 is clear for protocols of classes only. Bits 24 to 29 tell special protocols.
    if flags >> 24 & 0x3F == 1 { return .error }
    return flags & 0x8000_0000 == 0 ? .reference : .existential
  }

  private func tupleShape(_ address: UInt, size: Int) -> RuntimeType.Shape {
    let count = Metadata.load(address &+ 8, as: Int.self)
    let labels = Metadata.load(address &+ 16, as: UInt.self)
    let names =
      labels == 0
      ? [] : Metadata.text(labels).split(separator: " ", omittingEmptySubsequences: false)
    let fields = (0..<count).map { index in
      let element = address &+ 24 &+ UInt(index) * 16
      let part = type(Self.metatype(Metadata.load(element, as: UInt.self)))
      let offset = Int(Metadata.load(element &+ 8, as: UInt32.self))
      let name = index < names.count && !names[index].isEmpty ? String(names[index]) : "\(index)"
      return RuntimeType.Field(name: name, offset: offset, type: part, size: part.size)
    }
    return fields.allSatisfy { $0.offset + $0.size <= size } ? .fields(fields) : .opaque
  }

  /// Returns the metadata at an address as a type.
  static func metatype(_ address: UInt) -> Any.Type {
    unsafeBitCast(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped, to: Any.Type.self)
  }

  // MARK: Structures and enumerations

  private func structShape(_ type: RuntimeType) -> RuntimeType.Shape {
    let descriptor = Metadata.load(type.address &+ 8, as: UInt.self)
    let vector = Metadata.load(descriptor &+ 24, as: UInt32.self)
    guard vector != 0,
      let records = fieldRecords(
        descriptor, arguments: UnsafeRawPointer(bitPattern: type.address &+ 16))
    else { return .opaque }
    let offsets = records.indices.map { index in
      let entry = type.address &+ UInt(vector) * 8 &+ UInt(index) * 4
      return Int(Metadata.load(entry, as: UInt32.self))
    }
    // A structure without fields that has references is memory that only its module understands.
    if records.isEmpty { return .opaque }
    return fields(records, offsets, within: 0..<type.size).map { .fields($0) } ?? .opaque
  }

  private func enumShape(_ type: RuntimeType) -> RuntimeType.Shape {
    let descriptor = Metadata.load(type.address &+ 8, as: UInt.self)
    guard
      let records = fieldRecords(
        descriptor, arguments: UnsafeRawPointer(bitPattern: type.address &+ 16)),
      !records.isEmpty
    else { return .opaque }
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

  /// Returns fields with their offsets, or nil if some are not within the value. Then the metadata is
  /// only memory that looks like some.
  private func fields(
    _ records: [Record], _ offsets: [Int], within range: Range<Int>
  ) -> [RuntimeType.Field]? {
    guard offsets.allSatisfy({ range.contains($0) || $0 == range.upperBound }) else { return nil }
    let end = range.upperBound
    let fields = records.indices.map { index in
      let record = records[index]
      let type = self.type(record.type ?? Void.self)
      var holds = record.holds
      if record.type == nil { holds = holds == .notStrong ? .notStrong : .unknown }
      let next = offsets.filter { $0 > offsets[index] }.min() ?? end
      return RuntimeType.Field(
        name: record.name, offset: offsets[index], type: type, holds: holds,
        size: holds == .unknown ? next - offsets[index] : type.size)
    }
    return fields.allSatisfy { $0.offset + $0.size <= end } ? fields : nil
  }

  /// A field or a case as its type describes it.
  private struct Record {
    let name: String
    /// Nil if the type is not described, as for fields that cannot be copied.
    let type: Any.Type?
    let holds: RuntimeType.Holding
    let isIndirect: Bool
    /// False for a case without a payload.
    let isPresent: Bool
  }

  /// Returns the fields in the descriptor of a type, or nil if they are not described.
  private func fieldRecords(_ descriptor: UInt, arguments: UnsafeRawPointer?) -> [Record]? {
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
      if name != 0 {
        type = Metadata.type(
          ofName: name, mangled, context: descriptor, arguments: arguments)
        // A function of the compiler stands in for the type of a field that cannot be copied. It
        // returns the empty tuple.
        if mangled.first == 9, type == Void.self { type = nil }
      }
      return Record(
        name: Metadata.text(Metadata.follow(record &+ 8)), type: type,
        holds: Metadata.holding(ofName: mangled), isIndirect: flags & 1 != 0,
        isPresent: name != 0 || flags & 1 != 0)
    }
  }

  // MARK: Classes

  private var knownClasses: [UInt: [RuntimeType.Field]?] = [:]

  /// Returns the fields of an object of a class and its superclasses, or nil if some superclass is
  /// not described.
  func fields(ofClass address: UInt) -> [RuntimeType.Field]? {
    if let known = knownClasses[address] { return known }
    let fields = describe(class: address)
    knownClasses[address] = fields
    return fields
  }

  private func describe(class address: UInt) -> [RuntimeType.Field]? {
    let descriptor = Metadata.load(address &+ 40, as: UInt.self)
    let superclass = Metadata.load(address &+ 8, as: UInt.self)
    var inherited: [RuntimeType.Field] = []
    if superclass != 0 {
      guard let known = fields(ofClass: superclass) else { return nil }
      inherited = known
    }
    // Where the superclass is of a library that may change its size, the offsets stand elsewhere.
    let hasResilientSuperclass = Metadata.load(descriptor, as: UInt32.self) & 1 << 29 != 0
    guard !hasResilientSuperclass else { return nil }
    let count = Metadata.load(descriptor &+ 36, as: UInt32.self)
    let vector = UInt(Metadata.load(descriptor &+ 40, as: UInt32.self))
    guard count > 0 else { return inherited }
    guard vector != 0,
      let records = fieldRecords(descriptor, arguments: Self.arguments(ofClass: address)),
      records.count == Int(count)
    else { return nil }
    let offsets = records.indices.map { index in
      Metadata.load(address &+ (vector + UInt(index)) * 8, as: Int.self)
    }
    let size = Int(Metadata.load(address &+ 24, as: UInt32.self))
    guard var own = fields(records, offsets, within: 0..<max(size, 16)) else { return nil }
    if let stored = (Self.metatype(address) as? any StoresValues.Type)?.storedValues {
      own = own.map { field in
        guard let value = stored.first(where: { $0.field == field.name }) else { return field }
        let type = self.type(value.type)
        let offset = value.isLocked ? field.offset + type.alignment : field.offset
        return RuntimeType.Field(name: field.name, offset: offset, type: type, size: type.size)
      }
    }
    return inherited + own
  }

  /// Returns the address of the generic arguments of a class.
  static func arguments(ofClass address: UInt) -> UnsafeRawPointer? {
    let descriptor = Metadata.load(address &+ 40, as: UInt.self)
    let words = Metadata.load(descriptor &+ 28, as: UInt32.self)
    let own = Metadata.load(descriptor &+ 32, as: UInt32.self)
    return UnsafeRawPointer(bitPattern: address &+ UInt(words &- own) * 8)
  }

  /// Returns the generic argument of a class with an index from 0.
  func argument(_ index: Int, ofClass address: UInt) -> RuntimeType? {
    guard let arguments = Self.arguments(ofClass: address) else { return nil }
    let argument = Metadata.load(UInt(bitPattern: arguments) &+ UInt(index) * 8, as: UInt.self)
    return argument == 0 ? nil : type(Self.metatype(argument))
  }
}
