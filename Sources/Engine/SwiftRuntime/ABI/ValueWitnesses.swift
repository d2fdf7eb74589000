/// The value witnesses of a type: its size, its flags, and functions for its values.
///
/// The table is a `TargetValueWitnessTable` of the runtime's headers (`swift/ABI/Metadata.h`).
/// Sizes are in bytes.
package struct ValueWitnesses {
  /// The bits of the flags (`TargetValueWitnessFlags` in `swift/ABI/MetadataValues.h`).
  private enum Flag {
    static let alignmentMask = ValueWitnessLayout.alignmentMask
    static let isNonPOD: UInt32 = 0x10000
    static let isNonInline = ValueWitnessLayout.isNonInline
    static let isNonBitwiseTakable: UInt32 = 0x100000
    static let hasEnumWitnesses = ValueWitnessLayout.hasEnumWitnesses
  }

  private let table: UInt
  private let type: UInt

  /// Creates the witnesses of a type, given the address of its metadata. Returns nil for blocks,
  /// which don't have witnesses without Objective-C. The table of a class describes the storage of
  /// its objects, so callers only pass value types.
  package init?(_ type: UInt) {
    let table = Metadata.load(type &- MetadataLayout.beforeWitnesses, as: UInt.self)
    guard table != 0 else { return nil }
    (self.table, self.type) = (table, type)
  }

  package var size: Int { Metadata.load(table &+ ValueWitnessLayout.size, as: Int.self) }
  package var stride: Int { Metadata.load(table &+ ValueWitnessLayout.stride, as: Int.self) }
  package var alignment: Int { Int(flags & Flag.alignmentMask) + 1 }
  /// A Boolean value that indicates whether values are more than plain bytes.
  package var hasReferences: Bool { flags & Flag.isNonPOD != 0 }
  /// A Boolean value that indicates whether an existential container stores the value inline
  /// instead of in a box.
  package var isInline: Bool { flags & Flag.isNonInline == 0 }
  /// A Boolean value that indicates whether values can be moved by copying their bytes. Values with
  /// a weak reference can't.
  package var isMovable: Bool { flags & Flag.isNonBitwiseTakable == 0 }
  /// A Boolean value that indicates whether `caseNumber` and `extractPayload` can be called.
  package var isEnumeration: Bool { flags & Flag.hasEnumWitnesses != 0 }

  private var flags: UInt32 { Metadata.load(table &+ ValueWitnessLayout.flags, as: UInt32.self) }

  /// Returns the number of an enumeration value's case.
  @inline(__always)
  package func caseNumber(of value: UnsafeRawPointer) -> Int {
    typealias Function =
      @convention(c) (_ value: UnsafeRawPointer, _ type: UnsafeRawPointer) -> UInt32
    guard let metadata = UnsafeRawPointer(bitPattern: type) else { return 0 }
    return Int(function(at: ValueWitnessLayout.caseNumber, as: Function.self)(value, metadata))
  }

  /// Replaces a copy of an enumeration value with the payload of its case.
  @inline(__always)
  package func extractPayload(_ copy: UnsafeMutableRawPointer) {
    typealias Function =
      @convention(c) (_ value: UnsafeMutableRawPointer, _ type: UnsafeRawPointer) -> Void
    guard let metadata = UnsafeRawPointer(bitPattern: type) else { return }
    function(at: ValueWitnessLayout.extractPayload, as: Function.self)(copy, metadata)
  }

  @inline(__always)
  private func function<Function>(at offset: UInt, as type: Function.Type) -> Function {
    unsafeBitCast(Metadata.load(table &+ offset, as: UInt.self), to: Function.self)
  }
}

/// The offsets in a table of value witnesses (`swift/ABI/ValueWitness.def`), in bytes.
@usableFromInline
package enum ValueWitnessLayout {
  @inlinable package static var destroy: UInt { 8 }
  @inlinable package static var size: UInt { 64 }
  package static let stride: UInt = 72
  package static let flags: UInt = 80
  /// The bit in the flags of values that an existential container doesn't store inline.
  package static let isNonInline: UInt32 = 0x20000
  /// The bit in the flags of enumerations with functions that read the case.
  package static let hasEnumWitnesses: UInt32 = 0x200000
  /// The bit in the flags of types whose layout isn't computed yet.
  package static let isIncomplete: UInt32 = 0x400000
  package static let alignmentMask: UInt32 = 0xFF
  // Only enumerations have these.
  @inlinable package static var caseNumber: UInt { 88 }
  @inlinable package static var extractPayload: UInt { 96 }
}
