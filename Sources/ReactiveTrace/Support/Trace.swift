/// The log of this process, with functions that start and stop it.
///
/// Most programs don't need these functions. With `REACTIVE_TRACE=log.jsonl` in the environment,
/// the log starts at the first traced subscription and ends when the process exits.
public enum Trace {
  /// The set of subscriptions that a leak check includes.
  public enum LeakScope: Sendable {
    /// Only subscriptions that are known to come from the body.
    case body
    /// Also subscriptions that code outside any check makes during this check, anywhere in the
    /// process. Use this scope only while no other code runs.
    case process
  }

  /// The intended lifetime of a subscription.
  public enum Lifetime: String, Sendable {
    /// The subscription lives until it ends or is disposed. If it is alive at the end of the
    /// program, it is a suspected leak.
    case normal
    /// The subscription lives until the program exits. It is never a leak.
    case process
  }
}
