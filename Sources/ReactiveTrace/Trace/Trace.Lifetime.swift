import TraceFormat

extension Trace {
  /// How long a subscription is meant to live.
  public enum Lifetime: Sendable {
    /// Until it ends or is disposed; alive at the end of the program, it is a suspected leak.
    case normal
    /// Until the program exits; never a leak.
    case process
  }
}
