import ProcessReading
import SwiftRuntime

/// What the mangled name of a field's type in the memory of a process says about its values.
struct FieldType {
  private(set) var holding = ObjectTypes.Holding.possible
  private(set) var isOptional = false
  private(set) var form = ObjectTypes.Field.Form.other
  /// The size of a value in bytes, which is also its alignment or a multiple of it. Nil if the name
  /// doesn't say it.
  private(set) var size: Int?
  /// The descriptor of a structure.
  private(set) var structure: UInt?

  /// The names of types in the standard library whose values aren't references, with their sizes
  /// in bytes.
  private static let numbers: [String: Int] = [
    "Si": 8, "Su": 8, "Sd": 8, "Sf": 4, "Sb": 1, "s4Int8V": 1, "s5UInt8V": 1, "s5Int16V": 2,
    "s6UInt16V": 2, "s5Int32V": 4, "s6UInt32V": 4, "s5Int64V": 8, "s6UInt64V": 8,
  ]
  /// How references that aren't strong are marked after the name of their type: weak, unowned and
  /// unmanaged ones.
  private static let owners: [(String, ObjectTypes.Holding)] = [
    ("Xw", .nothing), ("Xo", .nothing), ("Xu", .pointer),
  ]
  private static let string = "SS"
  private static let stringSize = 16

  /// The maximum length of a name that is read, in bytes.
  private static let maxLength = 1024

  /// Reads the name at an address. Without a name, the words of a value may be references.
  init(_ address: UInt, _ memory: ProcessMemory, _ metadata: MetadataReader) {
    guard address != 0, var name = RawName(at: address, memory, limit: Self.maxLength) else {
      return
    }
    let word = ObjectLayout.reference
    for (suffix, holding) in Self.owners where name.removeSuffix(suffix) {
      self.holding = holding
      _ = name.removeSuffix("Sg")
      // A value of a protocol also has the addresses of the conformances.
      if name.isClass(memory, metadata) { size = word }
      return
    }
    if let size = Self.numbers.first(where: { name.isEqual(to: $0.key) })?.value {
      // A program can keep an address in a number.
      (holding, self.size) = (.pointer, size)
      return
    }
    if name.removeSuffix("Sg") { isOptional = true }
    defer {
      switch form {
      case .reference, .collection: size = word
      case .closure: size = FunctionValueLayout.size
      case .existential, .other: break
      }
    }
    if name.isEqual(to: Self.string) {
      size = Self.stringSize
      return
    }
    if let descriptor = name.reference(to: DescriptorFlags.Kind.structType, memory, metadata) {
      structure = descriptor
      return
    }
    if name.isClass(memory, metadata) {
      (holding, form) = (.strong, .reference)
    } else if name.hasSuffix("c") || name.isLoweredFunction {
      // The code and the context. A function without a context is an address of code.
      (holding, form) = (.strong, .closure)
    } else if name.hasSuffix("G"), ["Say", "SDy", "Shy"].contains(where: name.hasPrefix) {
      (holding, form) = (.strong, .collection)
    } else if name.hasSuffix("_p") || name.hasSuffix("yXl") {
      (holding, form) = (name.hasSuffix("yXl") ? .strong : .possible, .existential)
    } else if ["Sv", "SV", "SP", "Sp", "s9Unmanaged", "s13OpaquePointer"]
      .contains(where: name.hasPrefix)
    {
      (holding, size) = (.pointer, word)
    }
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

  var isLoweredFunction: Bool { MangledName(bytes).isLoweredFunction }

  func isEqual(to text: String) -> Bool { bytes.elementsEqual(text.utf8) }

  /// Returns the descriptor of the type if the name is that of a type of a kind, with its generic
  /// arguments.
  func reference(
    to kind: UInt32, _ memory: ProcessMemory, _ metadata: MetadataReader
  ) -> UInt? {
    guard let first = references.first, first.lowerBound == 0, first.count == 5,
      bytes.count == 5 || hasSuffix("G"), bytes[0] == Self.direct || bytes[0] == Self.indirect
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
