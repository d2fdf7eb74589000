/// A contestant, which does the work of a row.
enum Contestant: String, CaseIterable {
  case closures, mutex, ours, openCombine
}

/// Work that is repeated `count` times.
typealias Work = (_ count: Int) -> Void

/// One line of the table: the same work by several contestants.
struct Row {
  let name: String
  /// The kind of one operation, and the number of operations in one repetition of the work.
  var unit = "event"
  var operationsPerCall = 1.0
  /// Creates the work and the objects that it uses.
  let contestants: [Contestant: () -> Work]
  let peers: Recorded
}

/// Median nanoseconds for each operation, for the current versions of the peers. They were measured
/// together with OpenCombine in an earlier run on another machine of this kind: built by default,
/// and with `-cross-module-optimization`.
struct Recorded {
  typealias Pair = (byDefault: Double, best: Double)

  var reactiveKit: Pair?
  var rxSwift: Pair?
  var reactiveSwift: Pair?
  var openCombine: Pair?

  /// The fastest of the peers that this run doesn't measure.
  var fastestDefault: Double? {
    [reactiveKit, rxSwift, reactiveSwift].compactMap { $0?.byDefault }.min()
  }

  var fastestBest: Double? {
    [reactiveKit, rxSwift, reactiveSwift].compactMap { $0.map { min($0.byDefault, $0.best) } }.min()
  }
}

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
