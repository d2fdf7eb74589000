/// The value witnesses of a type: its size, its flags, and functions for its values.
///
/// The layout is that of `TargetValueWitnessTable` in the runtime's headers
/// (`swift/ABI/ValueWitness.def`, `MetadataValues.h`). Sizes are in bytes.
package struct ValueWitnesses {
  private let table: UInt
  private let type: UInt

  /// Creates the witnesses of a type, given the address of its metadata. Returns nil for blocks,
  /// which don't have witnesses without Objective-C. The table of a class describes the storage of
  /// its objects, so callers only pass value types.
  package init?(_ type: UInt) {
    let table = Metadata.load(type &- 8, as: UInt.self)
    guard table != 0 else { return nil }
    (self.table, self.type) = (table, type)
  }

  package var size: Int { Metadata.load(table &+ 64, as: Int.self) }
  package var stride: Int { Metadata.load(table &+ 72, as: Int.self) }
  package var alignment: Int { Int(flags & 0xFF) + 1 }
  /// A Boolean value that indicates whether values are more than plain bytes.
  package var hasReferences: Bool { flags & 0x10000 != 0 }
  /// A Boolean value that indicates whether an existential container stores the value inline
  /// instead of in a box.
  package var isInline: Bool { flags & 0x20000 == 0 }
  /// A Boolean value that indicates whether values can be moved by copying their bytes. Values with
  /// a weak reference can't.
  package var isMovable: Bool { flags & 0x100000 == 0 }
  /// A Boolean value that indicates whether `caseNumber` and `extractPayload` can be called.
  package var isEnumeration: Bool { flags & 0x200000 != 0 }

  private var flags: UInt32 { Metadata.load(table &+ 80, as: UInt32.self) }

  /// Returns the number of an enumeration value's case.
  @inline(__always)
  package func caseNumber(of value: UnsafeRawPointer) -> Int {
    typealias Function =
      @convention(c) (_ value: UnsafeRawPointer, _ type: UnsafeRawPointer) -> UInt32
    guard let metadata = UnsafeRawPointer(bitPattern: type) else { return 0 }
    return Int(function(at: 88, as: Function.self)(value, metadata))
  }

  /// Replaces a copy of an enumeration value with the payload of its case.
  @inline(__always)
  package func extractPayload(_ copy: UnsafeMutableRawPointer) {
    typealias Function =
      @convention(c) (_ value: UnsafeMutableRawPointer, _ type: UnsafeRawPointer) -> Void
    guard let metadata = UnsafeRawPointer(bitPattern: type) else { return }
    function(at: 96, as: Function.self)(copy, metadata)
  }

  @inline(__always)
  private func function<Function>(at offset: UInt, as type: Function.Type) -> Function {
    unsafeBitCast(Metadata.load(table &+ offset, as: UInt.self), to: Function.self)
  }
}
