extension Trace {
  /// How a log is written.
  public struct Options: Sendable, Equatable {
    /// The most bytes of a value's text that are written; longer texts are cut between characters.
    public var valueLimit: Int

    public init(valueLimit: Int = 256) {
      self.valueLimit = valueLimit
    }
  }
}
