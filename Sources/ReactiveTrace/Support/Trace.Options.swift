extension Trace {
  /// Options that control what is written to a log, and how much.
  public struct Options: Sendable, Equatable {
    /// The maximum number of bytes to write for the text of a value or an error. Longer text is
    /// truncated between characters.
    public var valueLimit: Int
    /// A Boolean value that indicates whether the text of elements and errors is written. If it
    /// is false, the formatters aren't called.
    public var recordsValues: Bool
    /// The lanes to trace.
    public var lanes: LanePatterns
    /// The size limit of a file, or nil for no limit.
    public var sizeLimit: SizeLimit?
    /// A Boolean value that indicates whether every observation of any signal is traced, even
    /// without a lane. An observation without a lane is named after the location that observes the
    /// signal.
    public var tracksAllSubscriptions: Bool
    /// A Boolean value that indicates whether each subscription records the test of Swift Testing
    /// or XCTest that ran when it was made, on Linux. The test is a scope around all others. A log
    /// that `REACTIVE_TRACE` starts always records it.
    public var recordsTests: Bool

    public init(
      valueLimit: Int = 256, recordsValues: Bool = true, lanes: LanePatterns = .all,
      sizeLimit: SizeLimit? = nil, tracksAllSubscriptions: Bool = false,
      recordsTests: Bool = false
    ) {
      self.recordsTests = recordsTests
      self.valueLimit = max(0, valueLimit)
      self.recordsValues = recordsValues
      self.lanes = lanes
      self.sizeLimit = sizeLimit
      self.tracksAllSubscriptions = tracksAllSubscriptions
    }
  }
}
