/// The functions and figures that the language keeps for the values of a type.
///
/// The layout is that of `TargetValueWitnessTable` in the runtime's headers
/// (`swift/ABI/ValueWitness.def`, `MetadataValues.h`). Sizes are in bytes.
struct ValueWitnesses {
  private let table: UInt
  private let type: UInt

  /// Creates the witnesses of a type, given the address of its metadata. Returns nil for blocks, which
  /// have none where there is no Objective-C. The table of a class is that of its objects' storage, so
  /// callers ask only about types of values.
  init?(_ type: UInt) {
    let table = Metadata.load(type &- 8, as: UInt.self)
    guard table != 0 else { return nil }
    (self.table, self.type) = (table, type)
  }

  var size: Int { Metadata.load(table &+ 64, as: Int.self) }
  var stride: Int { Metadata.load(table &+ 72, as: Int.self) }
  var alignment: Int { Int(flags & 0xFF) + 1 }
  /// False if values of the type are only bytes.
  var hasReferences: Bool { flags & 0x10000 != 0 }
  /// A Boolean value that indicates whether a container for any type keeps the value itself, and not
  /// a box.
  var isInline: Bool { flags & 0x20000 == 0 }
  /// A Boolean value that indicates whether the bytes of a value mean the same elsewhere. They do not
  /// if the value has a weak reference.
  var isMovable: Bool { flags & 0x100000 == 0 }
  /// A Boolean value that indicates whether `caseNumber` and `extractPayload` can be called.
  var isEnumeration: Bool { flags & 0x200000 != 0 }

  private var flags: UInt32 { Metadata.load(table &+ 80, as: UInt32.self) }

  /// Returns the number of the case that a value of an enumeration has.
  @inline(__always)
  func caseNumber(of value: UnsafeRawPointer) -> Int {
    typealias Function =
      @convention(c) (_ value: UnsafeRawPointer, _ type: UnsafeRawPointer) -> UInt32
    guard let metadata = UnsafeRawPointer(bitPattern: type) else { return 0 }
    return Int(function(at: 88, as: Function.self)(value, metadata))
  }

  /// Turns the copy of a value of an enumeration into the payload of its case.
  @inline(__always)
  func extractPayload(_ copy: UnsafeMutableRawPointer) {
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
