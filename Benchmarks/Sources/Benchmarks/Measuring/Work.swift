/// Work that is repeated `count` times.
typealias Work = (_ count: Int) -> Void

/// A sum that the optimizer can't see through, because other code could read its memory.
struct Sum: @unchecked Sendable {
  /// The sum of the work that was created last.
  nonisolated(unsafe) static var last: Sum?

  let value = UnsafeMutablePointer<Int>.allocate(capacity: 1)

  init() {
    value.pointee = 0
    Self.last = self
  }
}

/// Hides a value, and the target of a closure, from the optimizer.
@inline(never)
func opaque<Value>(_ value: Value) -> Value {
  value
}
