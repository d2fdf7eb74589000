/// The layout of objects (`HeapObject` in `swift/shims/HeapObject.h`). Offsets are in bytes. The
/// address of the metadata is at the start.
@usableFromInline
package enum ObjectLayout {
  @inlinable package static var referenceCounts: UInt { 8 }
  /// The size of the header. The first field comes after it.
  @inlinable package static var header: Int { 16 }
  /// The alignment of objects, which is that of `malloc` (the runtime's `Heap.cpp`).
  @inlinable package static var alignment: UInt { 16 }
  @inlinable package static var alignmentMask: UInt { 15 }
  /// The size and the alignment of a reference.
  @inlinable package static var reference: Int { 8 }

  /// The bits of a word in a field that are an address. Enumerations with payloads use the others
  /// (`SWIFT_ABI_DEFAULT_64BIT_SPARE_BITS_MASK` in `swift/shims/System.h`).
  @inlinable package static var addressBits: UInt { 0x00FF_FFFF_FFFF_FFF8 }
}

/// A value of a function type: the address of its code, then its context.
@usableFromInline
package enum FunctionValueLayout {
  @inlinable package static var context: Int { 8 }
  @inlinable package static var size: Int { 16 }
}

/// The box of an error (`SwiftError` in the runtime's `ErrorObject.h`).
@usableFromInline
package enum ErrorBoxLayout {
  @inlinable package static var type: UInt { 16 }
  /// The size of the header: those of an object, the type, and its conformance. The value comes
  /// after it.
  @inlinable package static var header: Int { 32 }
}

/// The word with the reference counts of an object (`RefCountBitOffsets<8>` in
/// `swift/shims/RefCount.h`).
@frozen @usableFromInline
package struct ReferenceCounts {
  @usableFromInline let word: UInt

  @inlinable
  package init(_ word: UInt) { self.word = word }

  /// The address of the side table with the counts, or nil if the counts are in the word. An object
  /// with a weak reference or very many references has a side table.
  @inlinable package var sideTable: UInt? {
    // The bits UseSlowRC and SideTableMark, and then SideTableUnusedLowBits. User space has 47
    // bits.
    word >> 62 == 3 ? word << 3 & 0x0000_FFFF_FFFF_FFF8 : nil
  }

  /// The number of strong references, or nil if the object is never deallocated. The counts must
  /// not be in a side table. The number in the word has no reference as -1 and one as 0.
  package var strongCount: Int? { word >> 63 == 1 ? nil : Int(word >> 33) + 1 }

  /// Returns the number of strong references, also if the counts are in a side table.
  package func strongCount(reading word: (UInt) -> UInt?) -> Int? {
    guard let sideTable else { return strongCount }
    return word(sideTable &+ SideTableLayout.referenceCounts)
      .flatMap { ReferenceCounts($0).strongCount }
  }

  /// A Boolean value that indicates whether the object is being deallocated.
  @inlinable package var isDeiniting: Bool { word & 1 << 32 != 0 }

  /// A Boolean value that indicates whether these are the counts of a live object without a side
  /// table.
  @inlinable package var areOfLiveObject: Bool {
    // Objects that are never deallocated have the highest bit set.
    if word >> 63 == 1 { return true }
    // Other objects have the lowest bit set (only Swift deallocates them) and bit 32 clear (not
    // being deallocated). The bits between are the count of unowned references, to which the strong
    // references add one. An address in this word doesn't look like that.
    let unowned = word & 0xFFFF_FFFF
    return unowned & 1 == 1 && !isDeiniting && (2..<1 << 24).contains(unowned)
  }
}

/// The side table of an object (`HeapObjectSideTableEntry` in `swift/shims/RefCount.h`). The
/// address of the object is at the start. A weak reference is the address of this table.
@usableFromInline
package enum SideTableLayout {
  @inlinable package static var alignmentMask: UInt { 7 }
  @inlinable package static var referenceCounts: UInt { 16 }
}
