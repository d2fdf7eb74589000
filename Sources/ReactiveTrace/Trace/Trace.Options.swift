extension Trace {
  /// What is written to a log, and how much.
  public struct Options: Sendable, Equatable {
    /// The most bytes of the text of a value or an error that are written; longer texts are cut between characters.
    public var valueLimit: Int
    /// Whether the texts of elements and errors are written at all. Without them the formatters are not called.
    public var recordsValues: Bool
    /// The lanes that are traced.
    public var lanes: LanePatterns
    /// How large a file may become; nil for as large as it gets.
    public var size: SizeLimit?
    /// Whether every observation of any signal is traced, lane or not, each named by the place that observed it.
    public var tracksAllSubscriptions: Bool

    public init(
      valueLimit: Int = 256, recordsValues: Bool = true, lanes: LanePatterns = .all,
      size: SizeLimit? = nil, tracksAllSubscriptions: Bool = false
    ) {
      self.valueLimit = max(0, valueLimit)
      self.recordsValues = recordsValues
      self.lanes = lanes
      self.size = size
      self.tracksAllSubscriptions = tracksAllSubscriptions
    }
  }
}
