extension Trace {
  /// What of a subscription is written.
  public struct LaneFilter: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Its life: whether it is still alive at the end is a question that the log answers.
    public static let subscription = LaneFilter(rawValue: 1)
    /// Its elements.
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

/// What of a subscription is written, under the name that ReactiveKit's own `lane` had for it.
public enum LaneType: Int, CaseIterable, Sendable {
  case subscription, event
}
