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
      UnsafeMutableRawPointer(mutating: UnsafeRawPointer(cell)).assumingMemoryBound(
        to: Value.self)
    }
  }
}
