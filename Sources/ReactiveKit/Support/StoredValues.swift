/// A value that a class stores in a field whose type isn't described at run time. Such fields can't
/// be copied.
package struct StoredValue {
  package let field: String
  package let type: Any.Type
  /// A Boolean value that indicates whether the value is stored in a `Locked`, after the lock.
  package let isLocked: Bool

  /// Describes a field of the type `Locked`.
  package static func locked<Value>(_ field: String, _ type: Value.Type) -> StoredValue {
    StoredValue(field: field, type: type, isLocked: true)
  }

  /// Describes a field of the type `InlineStorage`.
  package static func inline<Value>(_ field: String, _ type: Value.Type) -> StoredValue {
    StoredValue(field: field, type: type, isLocked: false)
  }

  /// Describes a field of the type `Atomic`. Without this, the bytes between a small value and the
  /// next field would be read, too. They may contain part of an old reference.
  package static func atomic<Value>(_ field: String, _ type: Value.Type) -> StoredValue {
    StoredValue(field: field, type: type, isLocked: false)
  }
}

/// A class that lists its values in such fields, so that a search for what keeps an object alive
/// can follow their references. Only the fields of the class itself count, not those of its
/// superclass.
package protocol StoresValues: AnyObject {
  static var storedValues: [StoredValue] { get }
}
