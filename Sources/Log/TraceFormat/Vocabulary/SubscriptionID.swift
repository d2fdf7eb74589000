/// The number of a subscription, unique in its log. A file may contain any number up to 2^64 - 1.
@frozen @usableFromInline
package struct SubscriptionID: Hashable, Comparable, Sendable, CustomStringConvertible {
  @usableFromInline package let number: UInt64

  /// Creates an ID, or returns `nil` for 0. No subscription has the number 0: it is a placeholder
  /// in the first line of a log.
  @inlinable
  package init?(_ number: UInt64) {
    guard number > 0 else { return nil }
    self.number = number
  }

  @usableFromInline package var description: String {
    "#\(number)"
  }

  /// Creates an ID from the number of another one. The number 0, which no ID has, becomes 1.
  @inlinable
  package init(known number: UInt64) {
    self.number = max(1, number)
  }

  @inlinable
  package static func == (left: SubscriptionID, right: SubscriptionID) -> Bool {
    left.number == right.number
  }

  @inlinable
  package static func < (left: SubscriptionID, right: SubscriptionID) -> Bool {
    left.number < right.number
  }

  @inlinable
  package func hash(into hasher: inout Hasher) {
    hasher.combine(number)
  }
}
