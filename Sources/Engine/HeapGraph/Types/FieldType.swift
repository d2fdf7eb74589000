import ProcessMemory
import SwiftRuntime

/// What the mangled name of a field's type in the memory of a process says about its values.
///
/// Names are in postfix notation: the name of a tuple begins with that of its first element. So
/// only whole names count, and the size of any other type isn't known.
struct FieldType {
  private(set) var strength = ObjectTypes.ReferenceStrength.possible
  private(set) var isOptional = false
  private(set) var form = ObjectTypes.Field.Form.other
  /// The size of a value in bytes, or nil if the name doesn't have it. The alignment is the same,
  /// but at most 8.
  private(set) var size: Int?
  /// The descriptor of a structure.
  private(set) var structure: UInt?
  /// The descriptor of a structure or an enumeration without generic arguments, whose values aren't
  /// optional.
  private(set) var plainType: UInt?
  /// A Boolean value that indicates whether the value is a weak, unowned or unmanaged reference.
  private(set) var isReferenceWithoutCount = false

  /// The types of the standard library whose values are numbers, with their sizes in bytes.
  static let numbers = [
    "Int": 8, "UInt": 8, "Double": 8, "Float": 4, "Bool": 1, "Int8": 1, "UInt8": 1, "Int16": 2,
    "UInt16": 2, "Int32": 4, "UInt32": 4, "Int64": 8, "UInt64": 8,
  ]
  static let boolean = "Bool"
  /// The short names of some of them.
  private static let shortNames = [
    "Si": "Int", "Su": "UInt", "Sd": "Double", "Sf": "Float", "Sb": "Bool",
  ]
  /// How references that aren't strong are marked after the name of their type: weak, unowned and
  /// unmanaged ones.
  private static let owners: [(String, ObjectTypes.ReferenceStrength)] = [
    ("Xw", .nothing), ("Xo", .nothing), ("Xu", .pointer),
  ]
  /// The type of the standard library whose values are addresses of objects and don't lead to them.
  static let identifier = "ObjectIdentifier"
  private static let shortIdentifier = "SO"
  private static let string = "SS"
  private static let stringSize = 16
  /// The structures of the concurrency library that consist of a strong reference:
  /// `CheckedContinuation`, `Task`, `AsyncStream` and `AsyncThrowingStream`.
  private static let concurrency = ["ScCy", "ScTy", "ScSy", "Scsy"]
  private static let anyObject = "yXl"
  private static let error = "s5Error_p"
  /// The existential types of a superclass and protocols, and of protocols for classes.
  private static let classConstraints = ["Xc", "Xl"]

  /// The maximum length of a name that is read, in bytes.
  private static let maxLength = 1024

  /// Reads the name at an address. Without a name, the words of a value may be references.
  init(_ address: UInt, _ memory: ProcessMemory, _ metadata: MetadataReader) {
    guard address != 0, var name = RawName(at: address, memory, limit: Self.maxLength) else {
      return
    }
    let word = ObjectLayout.reference
    for (suffix, strength) in Self.owners where name.removeSuffix(suffix) {
      self.strength = strength
      isReferenceWithoutCount = true
      _ = name.removeSuffix("Sg")
      // A value of a protocol also has the address of each conformance.
      if name.isClass(memory, metadata) || name.isEqual(to: Self.anyObject) { size = word }
      return
    }
    if let size = Self.size(ofNumber: name) {
      (strength, self.size) = (Self.strength(ofNumber: size), size)
      return
    }
    if name.isEqual(to: Self.shortIdentifier) {
      (strength, size) = (.nothing, word)
      return
    }
    if name.removeSuffix("Sg") { isOptional = true }
    if name.isEqual(to: Self.string) {
      size = Self.stringSize
    } else if let descriptor = name.reference(to: DescriptorFlags.Kind.structType, memory, metadata)
    {
      structure = descriptor
      if metadata.descriptorFlags(descriptor)?.isForeign == true { form = .foreign }
      guard !isOptional, !name.isGeneric else { return }
      plainType = descriptor
      guard let type = metadata.nameInStandardLibrary(descriptor), let size = Self.numbers[type]
      else { return }
      (strength, self.size) = (Self.strength(ofNumber: size), size)
    } else if let descriptor = name.reference(to: DescriptorFlags.Kind.enumType, memory, metadata) {
      if !isOptional, !name.isGeneric { plainType = descriptor }
    } else if name.isClass(memory, metadata) {
      (strength, form, size) = (.strong, .reference, word)
    } else if Self.classConstraints.contains(where: name.hasSuffix) {
      form = .existential
      if name.isEqual(to: Self.anyObject) { (strength, size) = (.strong, word) }
    } else if name.hasSuffix("c") || name.isLoweredFunction {
      // The code and the context. A function without a context is an address of code.
      (strength, form, size) = (.strong, .closure, FunctionValueLayout.size)
    } else if name.isGeneric, ["Say", "SDy", "Shy"].contains(where: name.hasPrefix) {
      (strength, form, size) = (.strong, .collection, word)
    } else if name.isGeneric, Self.concurrency.contains(where: name.hasPrefix) {
      (strength, size) = (.strong, word)
    } else if name.hasSuffix("_p") || name.isEqual(to: "yp") {
      form = .existential
      // An error is in a box.
      if name.isEqual(to: Self.error) { size = word }
    } else if name.isPointer {
      (strength, form, size) = (.pointer, name.isGeneric ? .other : .foreign, word)
    }
  }

  /// A program can keep an address in a large number. The space after a small one can have a part
  /// of an old word.
  private static func strength(ofNumber size: Int) -> ObjectTypes.ReferenceStrength {
    size < ObjectLayout.reference ? .nothing : .pointer
  }

  private static func size(ofNumber name: RawName) -> Int? {
    if let short = shortNames.first(where: { name.isEqual(to: $0.key) }) {
      return numbers[short.value]
    }
    return numbers.first { name.isEqual(to: "s\($0.key.utf8.count)\($0.key)V") }?.value
  }
}

/// A mangled name with its symbolic references, as it is in memory.
private struct RawName {
  private var bytes: [UInt8] = []
  private let address: UInt
  /// The positions in `bytes` that belong to symbolic references.
  private var references: [Range<Int>] = []

  /// The lengths of symbolic references after their first byte.
  private static let short: ClosedRange<UInt8> = 0x01...0x17
  private static let long: ClosedRange<UInt8> = 0x18...0x1F
  private static let direct: UInt8 = 1
  private static let indirect: UInt8 = 2

  init?(at address: UInt, _ memory: ProcessMemory, limit: Int) {
    self.address = address
    func byte(_ index: Int) -> UInt8? {
      let at = address &+ UInt(index)
      return memory.half(at & ~3).map { UInt8(truncatingIfNeeded: $0 >> ((at & 3) * 8)) }
    }
    var index = 0
    while index < limit {
      guard let first = byte(index) else { return nil }
      if first == 0 { return }
      let length = Self.short ~= first ? 5 : Self.long ~= first ? 9 : 1
      for offset in 0..<length {
        guard let next = byte(index + offset) else { return nil }
        bytes.append(next)
      }
      if length > 1 { references.append(index..<index + length) }
      index += length
    }
    return nil
  }

  func hasPrefix(_ text: String) -> Bool { bytes.starts(with: text.utf8) }

  func hasSuffix(_ text: String) -> Bool {
    bytes.count >= text.utf8.count && bytes.suffix(text.utf8.count).elementsEqual(text.utf8)
      && !references.contains { $0.upperBound > bytes.count - text.utf8.count }
  }

  mutating func removeSuffix(_ text: String) -> Bool {
    guard hasSuffix(text) else { return false }
    bytes.removeLast(text.utf8.count)
    return true
  }

  /// Returns whether the name is that of a class, whose values are references.
  func isClass(_ memory: ProcessMemory, _ metadata: MetadataReader) -> Bool {
    reference(to: DescriptorFlags.Kind.classType, memory, metadata) != nil
      || hasSuffix("C") && !hasSuffix("XC") || hasSuffix("Bo")
  }

  /// A Boolean value that indicates whether the type has generic arguments. The name must begin
  /// with the type.
  var isGeneric: Bool { hasSuffix("G") }

  /// A Boolean value that indicates whether the name is that of a pointer or an unmanaged
  /// reference.
  var isPointer: Bool {
    ["Sv", "SV", "s13OpaquePointerV"].contains(where: isEqual)
      || isGeneric && ["SPy", "Spy", "s9UnmanagedVy"].contains(where: hasPrefix)
  }

  var isLoweredFunction: Bool { MangledName(bytes).isLoweredFunction }

  func isEqual(to text: String) -> Bool { bytes.elementsEqual(text.utf8) }

  /// Returns the descriptor of the type if the name is that of a type of a kind, with its generic
  /// arguments.
  func reference(
    to kind: UInt32, _ memory: ProcessMemory, _ metadata: MetadataReader
  ) -> UInt? {
    guard let first = references.first, first.lowerBound == 0, first.count == 5,
      bytes.count == 5 || bytes[5] == UInt8(ascii: "y") && isGeneric,
      bytes[0] == Self.direct || bytes[0] == Self.indirect
    else { return nil }
    let distance = bytes[1..<5].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    var descriptor = address &+ 1 &+ UInt(bitPattern: Int(Int32(bitPattern: distance)))
    if bytes[0] == Self.indirect {
      guard let target = memory.word(descriptor) else { return nil }
      descriptor = target
    }
    return metadata.descriptorFlags(descriptor)?.kind == kind ? descriptor : nil
  }
}

/// A generic parameter of a type: the number of generic types around the one that declares it, and
/// its position there.
struct GenericParameter: Hashable, Sendable {
  let depth: Int
  let index: Int
}
