package import SystemLibrary

/// A subscription, a task or an object whose retention is searched for: what a search needs to know
/// about it.
///
/// It contains the addresses with all bits inverted. Copies of it are on the stack while the search
/// runs, and the search would take an address there for a local variable that holds the object.
package struct SearchedSubscription: Sendable {
  package let id: Int
  /// The name of its lane.
  package let lane: String
  /// Returns the location that replaces the name of the lane. It is nil if the lane has its own
  /// name.
  package let location: (@Sendable () -> CodeLocation?)?
  private let invertedChain: UInt
  private let invertedObserver: UInt
  /// The address of the code of the downstream closure.
  package let observerCode: UInt
  /// What this is. The address of a task or an object is that of the chain.
  package let subject: Retention.Subject
  /// Returns whether the subscription has ended. In a busy program, many do during a search.
  package let hasEnded: @Sendable () -> Bool

  package init(
    id: Int, lane: String, location: (@Sendable () -> CodeLocation?)? = nil, chain: UInt,
    observer: UInt = 0, observerCode: UInt = 0, subject: Retention.Subject = .subscription,
    hasEnded: @escaping @Sendable () -> Bool
  ) {
    self.id = id
    self.lane = lane
    self.location = location
    invertedChain = ~chain
    invertedObserver = ~observer
    self.observerCode = observerCode
    self.subject = subject
    self.hasEnded = hasEnded
  }

  /// The address of the chain that is observed, or 0 if it is unknown.
  package var chain: UInt { ~invertedChain }
  /// The address of the downstream closure's context, or 0 if the closure doesn't have one.
  package var observer: UInt { ~invertedObserver }
}
