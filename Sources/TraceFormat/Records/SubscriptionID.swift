/// The number of a subscription, unique in its log; a file may say anything up to 2^64 - 1.
package struct SubscriptionID: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let number: UInt64

  /// `nil` for 0, which no subscription has: the first line of a log says it as a placeholder.
  package init?(_ number: UInt64) {
    guard number > 0 else { return nil }
    self.number = number
  }

  package var description: String {
    "#\(number)"
  }

  package static func < (left: SubscriptionID, right: SubscriptionID) -> Bool {
    left.number < right.number
  }
}
