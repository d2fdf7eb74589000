/// The facts that a verdict about leaks needs about the subscriptions of a process or of its logs.
///
/// The recorder has these facts about live subscriptions, and the analysis has them about the
/// subscriptions of logs. Both use the same verdict, so a leak check and `trace-viewer check`
/// agree.
@usableFromInline
package protocol LeakFacts {
  /// The number of subscriptions. Their indices are `0..<count`.
  var count: Int { get }
  /// A Boolean value that indicates whether the reason why a subscription is alive is known for any
  /// of them.
  var hasRetentions: Bool { get }

  /// Returns the index of the subscription that another one was made for, or nil if there isn't one
  /// or if it is unknown.
  func parent(of index: Int) -> Int?
  /// Returns what keeps a subscription alive, or nil if unknown.
  func retention(of index: Int) -> Retention?
  /// Returns the index of the subscription with an ID in the log of another one.
  func index(of id: SubscriptionID, inLogOf index: Int) -> Int?
  /// Returns the number of the log of a subscription.
  func log(of index: Int) -> Int
  /// Returns the place where a subscription was observed, such as `Module/File.swift:26`.
  func observedSource(of index: Int) -> String?
}
