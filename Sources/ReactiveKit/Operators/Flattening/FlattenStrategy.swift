/// A strategy for joining the signals that a signal sends into one signal.
public enum FlattenStrategy: Sendable {
  /// Follows one signal after another, in order.
  case concat
  /// Follows only the newest signal, and disposes the previous one.
  case latest
  /// Follows all signals at the same time.
  case merge
}
