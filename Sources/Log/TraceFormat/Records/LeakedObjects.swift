/// Objects of a process, as a record describes them: all those that nothing can reach any more
/// because of the same mistake, or all of a class that grows with each repetition of a step.
package struct LeakedObjects: Equatable, Sendable {
  /// The objects of one class.
  package struct Class: Equatable, Sendable {
    /// The name without the module. Empty for memory that isn't an object.
    package let name: String
    package let count: Int
    /// The size of the objects with what the allocator adds, in bytes.
    package let bytes: Int

    package init(name: String, count: Int, bytes: Int) {
      self.name = name
      self.count = count
      self.bytes = bytes
    }
  }

  /// The number of the scope at whose end the class had grown. Nil if nothing can reach the
  /// objects.
  package var scope: UInt64?
  /// The number of cycles, or of objects that aren't on a cycle.
  package var count: Int
  /// The objects on the cycles, or else the objects themselves.
  package var members: [Class]
  /// What only these keep alive.
  package var held: [Class]

  package init(scope: UInt64? = nil, count: Int, members: [Class], held: [Class]) {
    self.scope = scope
    self.count = count
    self.members = members
    self.held = held
  }

  /// The number of all objects, without memory that isn't an object.
  package var objectCount: Int {
    (members + held).reduce(0) { $0 + ($1.name.isEmpty ? 0 : $1.count) }
  }

  /// The size of everything, in bytes.
  package var bytes: Int { (members + held).reduce(0) { $0 + $1.bytes } }

  /// Returns the text that identifies a stored property as the reference to break.
  package static func reference(property: String) -> String { propertyWords + property }

  /// Returns the text that identifies what a closure captures as the reference to break.
  package static func reference(capturedBy closure: String) -> String { captureWords + closure }

  /// Returns whether a text identifies a reference to break.
  package static func isReference(_ text: String) -> Bool {
    text.hasPrefix(propertyWords) || text.hasPrefix(captureWords)
  }

  private static let propertyWords = "property "
  private static let captureWords = "captured by "

  /// The maximum number of classes in each of the lists that is written.
  package static let maxListed = 1000
}

extension LeakedObjects.Class {
  /// The class as the members of an object in the keys `members` and `held`.
  package var members: RecordObject {
    [
      (.name, .text(name)), (.count, .integer(UInt64(clamping: count))),
      (.bytes, .integer(UInt64(clamping: bytes))),
    ]
  }
}
