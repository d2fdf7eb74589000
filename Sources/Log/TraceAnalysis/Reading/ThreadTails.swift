import TraceFormat

/// The last event of each thread.
struct ThreadTails: Sendable {
  struct Tail: Sendable {
    var time: Nanoseconds
    var subscription: SubscriptionID
    var kind: LogFormat.Event
  }

  /// The tails by thread number, for the numbers that a recorder assigns. Other numbers in a file
  /// go to the dictionary.
  private var dense: [Tail?] = []
  private var sparse: [UInt64: Tail] = [:]
  private static let maxDense = 4096

  var all: [(thread: UInt64, tail: Tail)] {
    dense.enumerated().compactMap { number, tail in tail.map { (UInt64(number), $0) } }
      + sparse.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  @inline(__always)
  mutating func note(_ thread: UInt64, _ tail: Tail) {
    guard thread < UInt64(dense.count) else { return noteSlowPath(thread, tail) }
    let index = Int(truncatingIfNeeded: thread)
    if let known = dense[index], known.time > tail.time { return }
    dense[index] = tail
  }

  @inline(never)
  private mutating func noteSlowPath(_ thread: UInt64, _ tail: Tail) {
    guard thread < Self.maxDense else {
      if let known = sparse[thread], known.time > tail.time { return }
      sparse[thread] = tail
      return
    }
    let missing = Int(thread) + 1 - dense.count
    if missing > 0 { dense.append(contentsOf: repeatElement(nil, count: missing)) }
    note(thread, tail)
  }

  mutating func append(_ next: ThreadTails) {
    for (thread, tail) in next.all { note(thread, tail) }
  }
}
