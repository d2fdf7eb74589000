/// Who does the work of a row.
enum Contestant: String, CaseIterable {
  case closures, mutex, ours, openCombine
}

/// Work that is to be done `count` times.
typealias Work = (_ count: Int) -> Void

/// One line of the table: the same work by several contestants.
struct Row {
  let name: String
  /// What one operation is, and into how many of them a call of the work is divided.
  var unit = "event"
  var operationsPerCall = 1.0
  /// Makes the work, and with it what it works on.
  let contestants: [Contestant: () -> Work]
  let peers: Recorded
}

/// Median ns an operation of the peers' current versions, measured together with OpenCombine in an earlier run on another
/// machine of this kind: as they are built by default, and with `-cross-module-optimization`.
struct Recorded {
  typealias Pair = (byDefault: Double, best: Double)

  var reactiveKit: Pair?
  var rxSwift: Pair?
  var reactiveSwift: Pair?
  var openCombine: Pair?

  /// The fastest of those that are not measured in this run.
  var fastestDefault: Double? {
    [reactiveKit, rxSwift, reactiveSwift].compactMap { $0?.byDefault }.min()
  }

  var fastestBest: Double? {
    [reactiveKit, rxSwift, reactiveSwift].compactMap { $0.map { min($0.byDefault, $0.best) } }.min()
  }
}

/// A sum that the optimiser does not see through: it lives in memory that others could read.
struct Sum: @unchecked Sendable {
  let value = UnsafeMutablePointer<Int>.allocate(capacity: 1)

  init() {
    value.pointee = 0
  }
}

/// Keeps what it is given from being known: the value, and where a closure leads.
@inline(never)
func opaque<Value>(_ value: Value) -> Value {
  value
}
