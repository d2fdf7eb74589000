import TraceFormat

extension Trace {
  /// The intended lifetime of a subscription.
  public enum Lifetime: String, Sendable {
    /// The subscription lives until it ends or is disposed. If it is alive at the end of the
    /// program, it is a suspected leak.
    case normal
    /// The subscription lives until the program exits. It is never a leak.
    case process
  }
}
