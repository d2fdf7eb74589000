/// The classes that have more live instances after each repetition of a step.
///
/// The first repetition only provides the numbers to compare with, because it may fill caches. The
/// recorder uses this to find out when to search for what keeps a new instance alive, and the
/// viewer uses it to judge a log.
package struct InstanceGrowth: Sendable {
  /// The numbers of a class's instances.
  package struct Growth: Equatable, Sendable {
    /// The number after the first repetition.
    package let first: Int
    /// The number after the latest repetition.
    package let last: Int
    /// The number of repetitions that each had more instances at the end than the one before.
    package let increases: Int
  }

  /// The smallest number of increases that counts as growth, unless the user sets another one.
  package static let minIncreases = 3

  /// The classes that have grown with each repetition so far, by name. Empty after the first one.
  package private(set) var growing: [String: Growth] = [:]
  /// The numbers after the first repetition, until the second one.
  private var start: [String: Int]?
  private var isFirst = true

  package init() {}

  /// Adds the numbers of live instances after a repetition. A class that isn't among them has no
  /// instances.
  package mutating func add(_ classes: some Sequence<LeakedObjects.Class>) {
    let counts = Dictionary(classes.map { ($0.name, $0.count) }, uniquingKeysWith: +)
    if isFirst {
      isFirst = false
      start = counts
    } else if let start {
      self.start = nil
      growing = counts.reduce(into: [:]) { growing, now in
        let first = start[now.key] ?? 0
        if now.value > first {
          growing[now.key] = Growth(first: first, last: now.value, increases: 1)
        }
      }
    } else {
      growing = growing.reduce(into: [:]) { growing, known in
        guard let count = counts[known.key], count > known.value.last else { return }
        growing[known.key] = Growth(
          first: known.value.first, last: count, increases: known.value.increases + 1)
      }
    }
  }
}
