/// The layouts of the descriptors of modules and types (`swift/ABI/Metadata.h`). Offsets are in
/// bytes. Offsets and counts without another size take four bytes, like relative pointers.
@usableFromInline
package enum DescriptorLayout {
  // TargetContextDescriptor
  /// The parent. The lowest bit of its address marks an indirect reference.
  @inlinable package static var parent: UInt { 4 }
  @inlinable package static var isIndirect: UInt { 1 }
  @inlinable package static var alignmentMask: UInt { 3 }

  // TargetModuleContextDescriptor, TargetTypeContextDescriptor
  @inlinable package static var name: UInt { 8 }
  /// The function that returns the metadata of the type.
  @inlinable package static var accessFunction: UInt { 12 }
  /// The descriptor of the fields or cases.
  package static let fields: UInt = 16

  // TargetStructDescriptor
  /// The position of the vector of the offsets of a structure's fields in its metadata, in words.
  package static let structFieldOffsets: UInt = 24

  // TargetEnumDescriptor
  /// The number of cases with a payload, in three bytes.
  package static let payloadCases: UInt = 20

  // TargetClassDescriptor
  /// The bounds of the metadata, if the superclass is resilient. They begin with the offset of the
  /// generic arguments in the metadata.
  package static let classBounds: UInt = 24
  /// The length of the metadata in words, if the superclass isn't resilient.
  @inlinable package static var classWords: UInt { 28 }
  /// The number of words of the metadata that the class adds to its superclass.
  @inlinable package static var ownClassWords: UInt { 32 }
  @inlinable package static var classFieldCount: UInt { 36 }
  /// The position of the vector of the offsets of a class's fields in its metadata, in words.
  @inlinable package static var classFieldOffsets: UInt { 40 }
}

/// The flags at the start of a descriptor (`ContextDescriptorFlags` and
/// `TypeContextDescriptorFlags` in `swift/ABI/MetadataValues.h`).
@frozen @usableFromInline
package struct DescriptorFlags {
  @usableFromInline let bits: UInt32

  @inlinable
  package init(_ bits: UInt32) { self.bits = bits }

  /// The kinds of descriptors (`ContextDescriptorKind`).
  @usableFromInline
  package enum Kind {
    @inlinable package static var module: UInt32 { 0 }
    package static var extensionContext: UInt32 { 1 }
    /// What surrounds a private type.
    package static var anonymous: UInt32 { 2 }
    package static var protocolType: UInt32 { 3 }
    @inlinable package static var classType: UInt32 { 16 }
    @inlinable package static var structType: UInt32 { 17 }
    @inlinable package static var enumType: UInt32 { 18 }
  }

  @inlinable package var kind: UInt32 { bits & 0x1F }

  @inlinable package var isType: Bool {
    kind == Kind.classType || kind == Kind.structType || kind == Kind.enumType
  }

  /// A Boolean value that indicates whether the type or a type around it has generic parameters.
  package var isGeneric: Bool { bits & 0x80 != 0 }

  /// A Boolean value that indicates whether only classes conform to a protocol
  /// (`ProtocolContextDescriptorFlags`).
  package var isClassProtocol: Bool { kind == Kind.protocolType && bits >> 16 & 1 == 0 }

  /// A Boolean value that indicates whether a protocol is `Error`, whose values are in boxes.
  package var isErrorProtocol: Bool { kind == Kind.protocolType && bits >> 18 & 0x3F == 1 }

  /// A Boolean value that indicates whether the superclass is resilient, so that offsets are stored
  /// elsewhere (`Class_HasResilientSuperclass`).
  @inlinable package var hasResilientSuperclass: Bool { bits & 1 << 29 != 0 }

  /// A Boolean value that indicates whether a type is imported from C, so that its descriptor is
  /// incomplete or absent (`ForeignMetadataInitialization`, `HasImportInfo`).
  @inlinable package var isForeign: Bool {
    let ofType = bits >> 16
    return ofType & 3 == 2 || ofType & 4 != 0
  }
}

/// A reference to a type descriptor in the section `swift5_type_metadata`
/// (`TargetTypeMetadataRecord`): a relative pointer. Its lowest bits are the kind of the reference.
@usableFromInline
package enum TypeReferenceLayout {
  @inlinable package static var size: Int { 4 }
  /// Returns whether a relative pointer leads to the descriptor itself.
  @inlinable
  package static func isDirect(_ distance: Int32) -> Bool { distance & 3 == 0 }
}

/// The descriptor of the fields or cases of a type (`FieldDescriptor` and `FieldRecord` in
/// `swift/RemoteInspection/Records.h`). Offsets are in bytes.
package enum FieldDescriptorLayout {
  /// The size of a record in two bytes.
  package static let recordSize: UInt = 10
  package static let count: UInt = 12
  package static let records: UInt = 16

  // FieldRecord
  package static let minRecordSize: UInt = 12
  package static let flags: UInt = 0
  package static let type: UInt = 4
  package static let name: UInt = 8
  package static let isIndirectCase: UInt32 = 1
}

/// The descriptor of an enumeration with several payloads (`MultiPayloadEnumDescriptor` in
/// `swift/RemoteInspection/Records.h`). Its first word is the name of the type. Offsets are in
/// bytes.
package enum SpareBitsLayout {
  package static let section = "swift5_mpenum"
  /// The number of words after the name, and the flags.
  package static let flags: UInt = 4
  package static let usesSpareBits: UInt32 = 1
  /// The offset of the mask in a value, and its size.
  package static let place: UInt = 8
  package static let mask: UInt = 12
  package static let header: UInt = 8
}

/// What a conformance says about associated types (`AssociatedTypeDescriptor` in
/// `swift/RemoteInspection/Records.h`). Its first word is the name of the type that conforms, and
/// the second one that of the protocol. Offsets and sizes are in bytes.
package enum AssociatedTypesLayout {
  package static let section = "swift5_assocty"
  package static let count: UInt = 8
  package static let recordSize: UInt = 12
  package static let header: UInt = 16

  // AssociatedTypeRecord
  /// The name of the type that the associated type is. Its own name is at the start.
  package static let type: UInt = 4
}

/// The descriptor of what a closure captures (`CaptureDescriptor` and `MetadataSourceRecord` in
/// `swift/RemoteInspection/Records.h`). Offsets and sizes are in bytes.
@usableFromInline
package enum CaptureDescriptorLayout {
  /// The number of captured values.
  @inlinable package static var captureCount: UInt { 0 }
  /// The number of sources of generic parameters.
  @inlinable package static var sourceCount: UInt { 4 }
  /// The number of metadata words before the captured values.
  @inlinable package static var bindingCount: UInt { 8 }
  /// The mangled types of the captured values, followed by the sources.
  @inlinable package static var types: UInt { 12 }
  @inlinable package static var typeSize: UInt { 4 }
  @inlinable package static var sourceSize: UInt { 8 }
  /// The place of a parameter in a source. The name of the parameter is at the start.
  @inlinable package static var sourcePlace: UInt { 4 }
  @inlinable package static var bindingSize: Int { 8 }
}

/// The generic parameters after a descriptor (`TargetGenericContextDescriptorHeader` in
/// `swift/ABI/GenericContext.h`).
package enum GenericContextLayout {
  /// Returns the offset of the number of parameters, in two bytes, for a kind of descriptors.
  package static func parameterCount(_ kind: UInt32) -> UInt? {
    switch kind {
    case DescriptorFlags.Kind.extensionContext: 12
    case DescriptorFlags.Kind.anonymous: 8
    // Two relative addresses come first.
    case DescriptorFlags.Kind.classType: 52
    case DescriptorFlags.Kind.structType, DescriptorFlags.Kind.enumType: 36
    default: nil
    }
  }

  /// The distance from the number of parameters to the parameters, each in a byte.
  package static let parameters: UInt = 8
  // GenericParamDescriptor, in a byte
  package static let hasArgument: UInt32 = 0x80
  package static let parameterKind: UInt32 = 0x3F
  package static let pack: UInt32 = 1
}
