/// Functions that read metadata at valid addresses.
package enum Metadata {
  package static func load<Value: BitwiseCopyable>(_ address: UInt, as type: Value.Type) -> Value {
    // The address was checked, or comes from checked metadata.
    UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped.loadUnaligned(as: type)
  }

  /// Returns the target of a relative pointer, or 0 for a null pointer.
  package static func follow(_ address: UInt) -> UInt {
    let distance = load(address, as: Int32.self)
    return distance == 0 ? 0 : UInt(bitPattern: Int(bitPattern: address) &+ Int(distance))
  }

  /// Returns the type whose metadata is at an address.
  package static func type(at address: UInt) -> Any.Type {
    unsafeBitCast(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped, to: Any.Type.self)
  }

  /// Returns the address of the metadata of a type.
  package static func address(of type: Any.Type) -> UInt {
    UInt(bitPattern: unsafeBitCast(type, to: UnsafeRawPointer.self))
  }

  package static func text(_ address: UInt) -> String {
    UnsafePointer<CChar>(bitPattern: address).map { String(cString: $0) } ?? ""
  }

  /// The kinds of metadata that the search uses.
  package enum Kind {
    package static let classType: UInt = 0
    package static let structType: UInt = 0x200
    package static let enumType: UInt = 0x201
    package static let optional: UInt = 0x202
    package static let foreignClass: UInt = 0x203
    package static let tuple: UInt = 0x301
    package static let function: UInt = 0x302
    package static let existential: UInt = 0x303
    package static let metatype: UInt = 0x304
    package static let existentialMetatype: UInt = 0x306
    package static let extendedExistential: UInt = 0x307
    package static let fixedArray: UInt = 0x308
    package static let closureContext: UInt = 0x400
    package static let box: UInt = 0x500
    package static let errorBox: UInt = 0x501
    package static let task: UInt = 0x502
  }

  /// Returns the length of a mangled name. Symbolic references have four or eight bytes after their
  /// kind, which can be 0.
  package static func length(ofName name: UInt) -> Int {
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

  package static func bytes(ofName name: UInt) -> [UInt8] {
    (0..<length(ofName: name)).map { load(name &+ UInt($0), as: UInt8.self) }
  }

  /// Returns the type of a mangled name in the context of a generic type. Returns nil if the name
  /// contains a block: without Objective-C, the runtime makes block types without value witnesses,
  /// and crashes when it makes the type of an optional block.
  package static func type(
    ofName name: UInt, _ bytes: [UInt8], context: UInt, arguments: UnsafeRawPointer?
  ) -> Any.Type? {
    guard let pointer = UnsafePointer<UInt8>(bitPattern: name), !containsBlock(bytes) else {
      return nil
    }
    return _getTypeByMangledNameInContext(
      pointer, UInt(bytes.count),
      genericContext: UnsafeRawPointer(bitPattern: context), genericArguments: arguments)
  }

  /// Returns the type with a mangled name from a symbol, which has neither generic parameters nor
  /// symbolic references.
  package static func type(named name: [UInt8]) -> Any.Type? {
    // Without a context, the runtime crashes on generic parameters and opaque types.
    let dependent = Array("xqQ".utf8)
    guard !name.isEmpty, name.allSatisfy({ (0x21...0x7E).contains($0) }),
      !operators(of: name).contains(where: dependent.contains)
    else { return nil }
    return (name + [0]).withUnsafeBufferPointer { bytes in
      bytes.baseAddress.flatMap {
        type(ofName: UInt(bitPattern: $0), name, context: 0, arguments: nil)
      }
    }
  }

  /// Returns whether a mangled name has the operator of a block, `XB`, outside of identifiers.
  package static func containsBlock(_ name: [UInt8]) -> Bool {
    operators(of: name).firstRange(of: Array("XB".utf8)) != nil
  }

  /// Returns the bytes of a mangled name with each identifier and symbolic reference replaced by a
  /// zero.
  private static func operators(of name: [UInt8]) -> [UInt8] {
    var operators: [UInt8] = []
    var index = 0
    while index < name.count {
      let byte = name[index]
      switch byte {
      case 1...0x17:
        operators.append(0)
        index += 5
      case 0x18...0x1F:
        operators.append(0)
        index += 9
      case UInt8(ascii: "1")...UInt8(ascii: "9"):
        // An identifier, preceded by its length.
        var length = 0
        while index < name.count, 0x30...0x39 ~= name[index], length < name.count {
          length = length * 10 + Int(name[index] - 0x30)
          index += 1
        }
        operators.append(0)
        index += length
      default:
        operators.append(byte)
        index += 1
      }
    }
    return operators
  }

  /// Returns how a field with a mangled type holds its value. Weak, unowned and unmanaged
  /// references have their own suffixes.
  package static func holding(ofName bytes: [UInt8]) -> TypeParts.Holding {
    guard bytes.count > 2, bytes[bytes.count - 2] == UInt8(ascii: "X") else { return .strong }
    switch bytes[bytes.count - 1] {
    case UInt8(ascii: "w"), UInt8(ascii: "o"), UInt8(ascii: "u"): return .notStrong
    default: return .strong
    }
  }
}
