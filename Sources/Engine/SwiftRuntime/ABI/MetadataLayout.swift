/// The layouts of metadata according to the Swift ABI for 64-bit platforms without Objective-C
/// (`swift/ABI/Metadata.h`). Offsets and sizes are in bytes.
///
/// The first word of all metadata is its kind. Properties whose names begin with `before` are
/// distances from the start of the metadata back to a word before it.
@usableFromInline
package enum MetadataLayout {
  // TargetTypeMetadataHeader
  /// The address of the value witnesses.
  @inlinable package static var beforeWitnesses: UInt { 8 }
  // TargetHeapMetadataHeaderPrefix
  /// The function that deallocates an object, in the metadata of objects.
  @inlinable package static var beforeDestroy: UInt { 16 }
  @inlinable package static var alignmentMask: UInt { 7 }
  /// The size of each generic argument. Positions in metadata that descriptors contain are
  /// multiples of it.
  @inlinable package static var wordSize: UInt { 8 }
}

/// The metadata of a structure or an enumeration (`TargetValueMetadata`).
@usableFromInline
package enum ValueTypeLayout {
  @inlinable package static var descriptor: UInt { 8 }
  /// The first generic argument.
  @inlinable package static var arguments: UInt { 16 }
  /// The size of each offset in the vector of the offsets of a structure's fields.
  package static let fieldOffsetSize: UInt = 4
}

/// The metadata of a class (`TargetClassMetadata`).
@usableFromInline
package enum ClassLayout {
  @inlinable package static var superclass: UInt { 8 }
  /// The size of an object, in four bytes.
  @inlinable package static var instanceSize: UInt { 24 }
  @inlinable package static var descriptor: UInt { 40 }
}

/// The metadata of a tuple (`TargetTupleTypeMetadata`).
@usableFromInline
package enum TupleLayout {
  @inlinable package static var count: UInt { 8 }
  /// The address of the labels, each followed by a space, or 0.
  @inlinable package static var labels: UInt { 16 }
  @inlinable package static var elements: UInt { 24 }
  @inlinable package static var elementSize: UInt { 16 }
  /// The offset of an element in the value, in four bytes, from the start of the element's entry.
  /// Its type is at the start.
  package static let elementOffset: UInt = 8
}

/// The metadata of a function type (`TargetFunctionTypeMetadata`).
package enum FunctionTypeLayout {
  static let flags: UInt = 8
  // TargetFunctionTypeFlags in swift/ABI/MetadataValues.h
  private static let conventionShift: UInt = 16
  private static let conventionMask: UInt = 0xFF
  private static let swiftConvention: UInt = 0

  /// Returns whether functions consist of code and a context. Blocks, C functions and thin
  /// functions don't.
  static func hasContext(_ flags: UInt) -> Bool {
    flags >> conventionShift & conventionMask == swiftConvention
  }

  /// Returns whether the functions of a type consist of code and a context.
  package static func hasContext(ofType type: UInt, _ word: (UInt) -> UInt?) -> Bool {
    word(type &+ flags).map(hasContext) == true
  }
}

/// The metadata of an existential type (`TargetExistentialTypeMetadata`), and its values.
@usableFromInline
package enum ExistentialLayout {
  static let flags: UInt = 8
  // ExistentialTypeFlags in swift/ABI/MetadataValues.h
  private static let specialProtocolShift: UInt32 = 24
  private static let specialProtocolMask: UInt32 = 0x3F
  private static let errorProtocol: UInt32 = 1
  private static let isOpaque: UInt32 = 0x8000_0000

  /// The representations of values.
  package enum Representation {
    /// A reference to an object, because the protocols are for classes only.
    case reference
    /// A value of any type, inline or in a box.
    case opaque
    /// An error in a box.
    case error
  }

  /// Returns the representation of the values of an existential type, or nil if it is unknown.
  package static func representation(ofValuesOf type: UInt) -> Representation? {
    representation(ofValuesOf: type) { Metadata.load($0, as: UInt32.self) }
  }

  /// - Parameter half: Returns the four bytes at an address.
  package static func representation(
    ofValuesOf type: UInt, _ half: (UInt) -> UInt32?
  ) -> Representation? {
    guard let flags = half(type &+ Self.flags) else { return nil }
    switch flags >> specialProtocolShift & specialProtocolMask {
    case 0: return flags & isOpaque == 0 ? .reference : .opaque
    case errorProtocol: return .error
    default: return nil
    }
  }

  // TargetOpaqueExistentialContainer, NumWords_ValueBuffer
  /// The number of bytes for an inline value at the start of a container. A larger value is in a
  /// box, whose address is at the start.
  @inlinable package static var inlineSize: Int { 24 }
  @inlinable package static var inlineAlignment: Int { 8 }
  /// The size of a container of a type with one protocol: the value, its type, and its conformance.
  @inlinable package static var sizeWithProtocol: Int { 40 }
  /// The type of the value in a container.
  @inlinable package static var type: Int { 24 }
}

/// The metadata of a metatype (`TargetMetatypeMetadata`).
@usableFromInline
package enum MetatypeLayout {
  @inlinable package static var instance: UInt { 8 }
}

/// The metadata of an inline array (`TargetFixedArrayTypeMetadata`).
@usableFromInline
package enum FixedArrayLayout {
  package static let count: UInt = 8
  @inlinable package static var element: UInt { 16 }
}

/// The metadata of the context of a closure (`TargetHeapLocalVariableMetadata`).
@usableFromInline
package enum ClosureContextLayout {
  /// The offset of the first captured value in the context, in four bytes.
  @inlinable package static var firstCapture: UInt { 8 }
  /// The address of the capture descriptor, or 0.
  @inlinable package static var captures: UInt { 16 }
}

/// The metadata of the box of a value (`TargetGenericBoxHeapMetadata`).
@usableFromInline
package enum BoxLayout {
  /// The offset of the value in the box, in four bytes.
  @inlinable package static var value: UInt { 8 }
  @inlinable package static var type: UInt { 16 }
}
