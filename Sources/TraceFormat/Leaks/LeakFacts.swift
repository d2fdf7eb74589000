/// What a verdict about leaks needs to know about the subscriptions of a process or of its logs.
///
/// The recorder has these facts about live subscriptions, and the analysis has them about the
/// subscriptions of logs. Both use the same verdict, so a leak check and `trace-viewer check` agree.
@usableFromInline
package protocol LeakFacts {
  /// The number of subscriptions. They have the indices below it.
  var count: Int { get }
  /// A Boolean value that indicates whether it is known for any subscription what keeps it alive.
  var hasRetentions: Bool { get }

  /// Returns the index of the subscription that another one was made for, or nil if there is none or
  /// if it is unknown.
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
