extension Trace {
  /// How large the file of a log may become, and what happens then.
  public struct SizeLimit: Sendable, Equatable {
    /// What happens to records for which a file has no room.
    public enum WhenFull: Sendable, Equatable {
      /// They are counted, and the end of the log says how many were lost.
      case stop
      /// They go to a further file: `log.jsonl`, `log.part-2.jsonl`, `log.part-3.jsonl`, ... At most `keeping` of them stay,
      /// the oldest go; nil keeps all. Each begins with the subscriptions that are alive, so that the last one is enough to
      /// find those that nobody disposes.
      case rotate(keeping: Int?)
    }

    /// The bytes of one file, at least 64 KiB.
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
