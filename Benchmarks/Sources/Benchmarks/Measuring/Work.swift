/// Work that is repeated `count` times.
typealias Work = (_ count: Int) -> Void

/// A sum that the optimizer cannot see through, because other code could read its memory.
struct Sum: @unchecked Sendable {
  let value = UnsafeMutablePointer<Int>.allocate(capacity: 1)

  init() {
    value.pointee = 0
  }
}

/// Hides a value, and the target of a closure, from the optimizer.
@inline(never)
func opaque<Value>(_ value: Value) -> Value {
  value
}
