/// Memory for a value inside its owner, accessed through a pointer. The owner decides which code
/// may access it, and when.
@_rawLayout(like: Value, movesAsLike)
@frozen @usableFromInline
struct InlineStorage<Value>: ~Copyable {
  @inlinable
  @inline(__always)
  init(_ value: consuming Value) {
    address.initialize(to: value)
  }

  @inlinable
  @inline(__always)
  deinit {
    address.deinitialize(count: 1)
  }

  @inlinable
  @inline(__always)
  var address: UnsafeMutablePointer<Value> {
    withUnsafePointer(to: self) { cell in
      #if compiler(>=6.3)
        UnsafeMutableRawPointer(mutating: UnsafeRawPointer(cell)).assumingMemoryBound(
          to: Value.self)
      #else
        // The optimizer of Swift 6.2 takes changes through the other pointer for an error.
        UnsafeMutablePointer(bitPattern: UInt(bitPattern: cell)).unsafelyUnwrapped
      #endif
    }
  }
}
