/// A subscription whose retention is searched for: what a search needs to know about it.
///
/// It contains the addresses with all bits inverted. Copies of it are on the stack while the search
/// runs, and the search would take an address there for a local variable that holds the object.
struct SearchedSubscription: Sendable {
  let id: Int
  /// The name of its lane.
  let lane: String
  /// The place whose location replaces the name of the lane, or nil if the lane has its own name.
  let unnamedPlace: PlaceNumber?
  private let invertedChain: UInt
  private let invertedObserver: UInt
  /// The address of the code of the downstream closure.
  let observerCode: UInt
  /// A Boolean value that indicates whether this is a task. The address of its object is that of
  /// the chain.
  let isTask: Bool
  /// Returns whether the subscription has ended. In a busy program, many do during a search.
  let hasEnded: @Sendable () -> Bool

  init(
    id: Int, lane: String, unnamedPlace: PlaceNumber?, chain: UInt, observer: UInt,
    observerCode: UInt, isTask: Bool = false, hasEnded: @escaping @Sendable () -> Bool
  ) {
    self.id = id
    self.lane = lane
    self.unnamedPlace = unnamedPlace
    invertedChain = ~chain
    invertedObserver = ~observer
    self.observerCode = observerCode
    self.isTask = isTask
    self.hasEnded = hasEnded
  }

  /// The address of the chain that is observed, or 0 if it is unknown.
  var chain: UInt { ~invertedChain }
  /// The address of the downstream closure's context, or 0 if the closure doesn't have one.
  var observer: UInt { ~invertedObserver }
}
