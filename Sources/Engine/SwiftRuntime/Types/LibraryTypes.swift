/// A library's description of its own types, beyond their metadata.
package protocol LibraryTypes {
  /// Returns the stored values of a class's fields whose types aren't described in metadata.
  /// Returns an empty array for other classes.
  func storedValues(of type: Any.Type) -> [LibraryField]
  /// Returns the layout of a table that manages its memory by hand, or nil for other types.
  func table(of type: Any.Type) -> ReferenceTable?
}

/// A value in a field whose type isn't described, such as the value in a lock.
package struct LibraryField {
  let name: String
  let type: Any.Type
  /// A Boolean value that indicates whether the value comes after a lock, at its own alignment.
  let isAfterLock: Bool

  package init(_ name: String, _ type: Any.Type, isAfterLock: Bool) {
    self.name = name
    self.type = type
    self.isAfterLock = isAfterLock
  }
}

/// A table of references in memory that its owner manages by hand. All offsets are in bytes.
package struct ReferenceTable {
  /// The offset of the address of the slots.
  package let slots: Int
  /// The offset of the number of slots.
  package let count: Int
  package let slotSize: Int
  /// The offset of the reference in a slot.
  package let reference: Int

  package init(slots: Int, count: Int, slotSize: Int, reference: Int) {
    self.slots = slots
    self.count = count
    self.slotSize = slotSize
    self.reference = reference
  }
}
