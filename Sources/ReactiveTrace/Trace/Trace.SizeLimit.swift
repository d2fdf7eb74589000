extension Trace {
  /// The maximum size of a log file, and the action to take when the file is full.
  public struct SizeLimit: Sendable, Equatable {
    /// The action to take for records that do not fit into the file.
    public enum WhenFull: Sendable, Equatable {
      /// Counts the records that do not fit. The end of the log says how many were lost.
      case stop
      /// Writes the records to another file: `log.jsonl`, `log.part-2.jsonl`, `log.part-3.jsonl`,
      /// ... At most `keeping` files stay; the oldest ones are removed. If `keeping` is nil, all
      /// files stay. Each file begins with the subscriptions that are alive. The last file is
      /// therefore enough to find the subscriptions that nobody disposes.
      case rotate(keeping: Int?)
    }

    /// The maximum size of one file in bytes, at least 64 KiB.
    public var bytes: Int {
      didSet { bytes = max(bytes, Self.least) }
    }
    public var whenFull: WhenFull

    public init(bytes: Int, whenFull: WhenFull = .stop) {
      self.bytes = max(bytes, Self.least)
      self.whenFull = whenFull
    }

    private static let least = 64 * 1024
  }
}
