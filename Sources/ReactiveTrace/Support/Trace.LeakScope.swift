extension Trace {
  /// The set of subscriptions that a leak check includes.
  public enum LeakScope: Sendable {
    /// Only subscriptions that are known to come from the body.
    case body
    /// Also subscriptions that code outside any check makes during this check, anywhere in the
    /// process. Use this scope only while no other code runs.
    case process
  }
}
