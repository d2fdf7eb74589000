import Synchronization

/// A number that many threads can add to.
final class Total: Sendable {
  private let sum = Atomic(0)

  var value: Int { sum.load(ordering: .relaxed) }

  func add(_ count: Int) {
    sum.wrappingAdd(count, ordering: .relaxed)
  }
}
