extension Trace {
  /// The maximum size of a log file, and the action to take when the file is full.
  public struct SizeLimit: Sendable, Equatable {
    /// The action to take for records that don't fit into the file.
    public enum WhenFull: Sendable, Equatable {
      /// Counts the records that don't fit. The end of the log contains the number of lost records.
      case stop
      /// Writes the records to another file: `log.jsonl`, `log.part-2.jsonl`, `log.part-3.jsonl`,
      /// ... At most `keeping` files are kept, and the oldest ones are deleted. If `keeping` is
      /// nil, all files are kept. Each file begins with the subscriptions that are alive. The last
      /// file is therefore enough to find undisposed subscriptions.
      case rotate(keeping: Int?)
    }

    /// The maximum size of one file in bytes, at least 64 KiB.
    public var bytes: Int {
      didSet { bytes = max(bytes, Self.minBytes) }
    }
    public var whenFull: WhenFull

    public init(bytes: Int, whenFull: WhenFull = .stop) {
      self.bytes = max(bytes, Self.minBytes)
      self.whenFull = whenFull
    }

    private static let minBytes = 64 * 1024
  }
}
