/// A location that observes signals: a call of `observeNext`, `sink`, `bind` or a similar function,
/// identified by its call stack. See `PlaceTable`.
package struct PlaceNumber: Hashable, Sendable {
  /// The number, starting at 1. Number 0 stands for all locations without a number.
  package let number: Int

  package init(number: Int) { self.number = number }

  /// The place of all locations whose call stack is unknown or didn't fit into the table.
  package static let unknown = PlaceNumber(number: 0)

  static let prefix: StaticString = "call."
  /// The name in the key `observed`, which a `place` record maps to a source location.
  package var name: String { "call.\(number)" }
  /// The name of the lane of an observation without a name.
  var lane: String { "observed.\(number)" }
}
