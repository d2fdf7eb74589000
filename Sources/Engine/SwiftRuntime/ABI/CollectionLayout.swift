/// The offsets of the elements in the standard library's collections, in bytes from the start of
/// the object (`_SwiftArrayBodyStorage`, `_SwiftDictionaryStorage` and `_SwiftSetStorage` in
/// `swift/shims/GlobalObjects.h`).
@usableFromInline
package enum CollectionLayout {
  /// The number of elements.
  @inlinable package static var count: UInt { 16 }
  /// The logarithm of the number of buckets of a dictionary or set, in one byte.
  @inlinable package static var scale: UInt { 32 }
  @inlinable package static var scaleMask: UInt { 0xFF }
  /// The words in the header of a dictionary or set that are numbers, one bit for each word: the
  /// count, the capacity, the scale and the seed of the hash function.
  package static let numbersOfTable: UInt64 = 0b111100
  /// The address of the keys of a dictionary or of the elements of a set.
  @inlinable package static var keys: UInt { 48 }
  @inlinable package static var values: UInt { 56 }
  /// One bit for each bucket in use.
  @inlinable package static var dictionaryBits: UInt { 64 }
  @inlinable package static var setBits: UInt { 56 }
  /// The size of the header of a dictionary in bytes.
  @inlinable package static var dictionaryHeader: Int { 64 }

  /// The names of the storage classes in the standard library's module.
  package static let arrayStorage = "_ContiguousArrayStorage"
  package static let dictionaryStorage = "_DictionaryStorage"
  package static let setStorage = "_SetStorage"
  package static let module = "Swift"

  /// Returns the offset of the first value after a header of `header` bytes.
  @inlinable
  package static func start(after header: Int, alignment: Int) -> Int {
    (header + alignment - 1) & ~(alignment - 1)
  }

  /// The size of the header of an array in bytes: those of an object, the count and the capacity.
  @inlinable package static var arrayHeader: Int { 32 }
  /// The size of the header of a box in bytes.
  @inlinable package static var boxHeader: Int { ObjectLayout.header }
}

/// The buffer of a deque: that of swift-collections, and its copy in the standard library, which
/// stores the elements of an `AsyncStream` (`_DequeBufferHeader` in `DequeModule` and in
/// `stdlib/public/Concurrency/Deque`). Offsets are in bytes.
@usableFromInline
package enum DequeLayout {
  @inlinable package static var capacity: UInt { 16 }
  @inlinable package static var count: UInt { 24 }
  /// The position of the first element.
  @inlinable package static var first: UInt { 32 }
  @inlinable package static var headerEnd: Int { 40 }

  /// Returns whether a class is such a buffer.
  package static func isBuffer(_ type: Any.Type) -> Bool {
    let name = String(reflecting: type)
    return modules.contains { name.hasPrefix("\($0).\(buffer)<") }
  }

  /// Returns whether a class is such a buffer.
  package static func isBuffer(_ name: String, module: String) -> Bool {
    name == buffer && modules.contains(module)
  }

  private static let buffer = "_DequeBuffer"
  private static let modules = ["Swift", "_Concurrency", "DequeModule"]
}

/// The asynchronous streams of the standard library.
package enum StreamLayout {
  /// Returns whether a class is the storage of a stream. The senders to a stream retain the
  /// storage, which ends with the stream's consumer.
  package static func isStreamStorage(_ type: Any.Type) -> Bool {
    let name = String(reflecting: type)
    return name.hasPrefix("Swift.Async") && name.hasSuffix("._Storage")
  }
}
