import ProcessReading
import SwiftRuntime

/// What the mangled name of a field's type in the memory of a process says about its values.
struct FieldType {
  private(set) var holding = ObjectTypes.Holding.possible
  private(set) var isOptional = false
  private(set) var form = ObjectTypes.Field.Form.other

  /// The maximum length of a name that is read, in bytes.
  private static let maxLength = 1024

  /// Reads the name at an address. Without a name, the words of a value may be references.
  init(_ address: UInt, _ memory: ProcessMemory, _ metadata: MetadataReader) {
    guard address != 0, var name = RawName(at: address, memory, limit: Self.maxLength) else {
      return
    }
    if name.hasSuffix("Xw") || name.hasSuffix("Xo") {
      holding = .nothing
      return
    }
    if name.hasSuffix("Xu") {
      holding = .pointer
      return
    }
    if name.removeSuffix("Sg") { isOptional = true }
    if name.isReference(to: DescriptorFlags.Kind.classType, memory, metadata) {
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
      holding = .pointer
    } else if name.hasSuffix("C") && !name.hasSuffix("XC") || name.hasSuffix("Bo") {
      (holding, form) = (.strong, .reference)
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

  var isLoweredFunction: Bool { MangledName(bytes).isLoweredFunction }

  /// Returns whether the name is that of a type of a kind, with its generic arguments.
  func isReference(
    to kind: UInt32, _ memory: ProcessMemory, _ metadata: MetadataReader
  ) -> Bool {
    guard let first = references.first, first.lowerBound == 0, first.count == 5,
      bytes.count == 5 || hasSuffix("G"), bytes[0] == Self.direct || bytes[0] == Self.indirect
    else { return false }
    let distance = bytes[1..<5].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    var descriptor = address &+ 1 &+ UInt(bitPattern: Int(Int32(bitPattern: distance)))
    if bytes[0] == Self.indirect {
      guard let target = memory.word(descriptor) else { return false }
      descriptor = target
    }
    return metadata.descriptorFlags(descriptor)?.kind == kind
  }
}
