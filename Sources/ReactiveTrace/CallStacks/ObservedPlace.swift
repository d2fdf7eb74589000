/// A location that observes signals: the call of `observeNext`, `sink`, `bind` or the like. It is a
/// number in the list of its log. See `ObservationLocations`.
package struct ObservedPlace: Hashable, Sendable {
  /// The number, from 1. Number 0 stands for all locations that have none.
  package let number: Int

  package init(number: Int) { self.number = number }

  /// The location whose call stack is not known, or that came after the list was full.
  package static let unknown = ObservedPlace(number: 0)

  static let prefix: StaticString = "call."
  /// The name in the key `observed`, which a `place` record explains.
  package var name: String { "call.\(number)" }
  /// The name of the lane of an observation without a name.
  var lane: String { "observed.\(number)" }
}
