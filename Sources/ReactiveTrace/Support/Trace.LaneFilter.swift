extension Trace {
  /// The parts of a subscription that are written to the log.
  public struct LaneFilter: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The beginning and the end of the subscription. With this option, the log shows whether the
    /// subscription is still alive at the end.
    public static let subscription = LaneFilter(rawValue: 1)
    /// The elements of the subscription.
    public static let event = LaneFilter(rawValue: 2)
    public static let all: LaneFilter = [.subscription, .event]

    @usableFromInline
    init(_ types: Set<LaneType>) {
      var filter: LaneFilter = []
      if types.contains(.subscription) { filter.insert(.subscription) }
      if types.contains(.event) { filter.insert(.event) }
      self = filter
    }
  }
}

/// The parts of a subscription that are written to the log, under the name from ReactiveKit's own
/// `lane`.
public enum LaneType: Int, CaseIterable, Sendable {
  case subscription, event
}
