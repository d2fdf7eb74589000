/// Functions that read metadata at valid addresses.
@usableFromInline
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

  static func text(_ address: UInt) -> String {
    UnsafePointer<CChar>(bitPattern: address).map { String(cString: $0) } ?? ""
  }

  /// Returns the kind of the metadata at an address.
  package static func kind(at address: UInt) -> UInt { load(address, as: UInt.self) }

  /// Returns the address of the descriptor of a structure or an enumeration.
  package static func descriptor(ofValueType address: UInt) -> UInt {
    load(address &+ ValueTypeLayout.descriptor, as: UInt.self)
  }

  /// Returns the generic argument of a structure or an enumeration at a zero-based index.
  package static func argument(_ index: UInt, ofValueType address: UInt) -> Any.Type {
    let arguments = address &+ ValueTypeLayout.arguments
    return type(at: load(arguments &+ index * MetadataLayout.wordSize, as: UInt.self))
  }

  /// The kinds of metadata that the search uses (`swift/ABI/MetadataKind.def`).
  @usableFromInline
  package enum Kind {
    @inlinable package static var classType: UInt { 0 }
    @inlinable package static var structType: UInt { 0x200 }
    @inlinable package static var enumType: UInt { 0x201 }
    @inlinable package static var optional: UInt { 0x202 }
    @inlinable package static var foreignClass: UInt { 0x203 }
    @inlinable package static var tuple: UInt { 0x301 }
    @inlinable package static var function: UInt { 0x302 }
    @inlinable package static var existential: UInt { 0x303 }
    @inlinable package static var metatype: UInt { 0x304 }
    @inlinable package static var existentialMetatype: UInt { 0x306 }
    @inlinable package static var extendedExistential: UInt { 0x307 }
    @inlinable package static var fixedArray: UInt { 0x308 }
    @inlinable package static var closureContext: UInt { 0x400 }
    @inlinable package static var box: UInt { 0x500 }
    @inlinable package static var errorBox: UInt { 0x501 }
    @inlinable package static var task: UInt { 0x502 }

    /// The kinds of types whose values aren't objects, except foreign classes.
    @inlinable package static var ofValues: ClosedRange<UInt> { structType...fixedArray }
    /// The last kind of the metadata of objects.
    @inlinable package static var lastOfObjects: UInt { task }
  }
}
