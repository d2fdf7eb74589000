/// The facts about a subscription that are needed to find what retains it.
struct SearchedSubscription: Sendable {
  let id: Int
  /// The name of its lane.
  let lane: String
  /// The place whose location replaces the name of the lane, or nil if the lane has its own name.
  let unnamedPlace: PlaceNumber?
  /// The address of the chain that is observed, or 0 if it is unknown.
  let chain: UInt
  /// The address of the downstream closure's context, or 0 if the closure doesn't have one.
  let observer: UInt
  /// The address of the code of that closure.
  let observerCode: UInt
  /// Returns whether the subscription has ended. In a busy program, many do during a search.
  let hasEnded: @Sendable () -> Bool
}
