/// How the signals that a signal sends become one.
public enum FlattenStrategy: Sendable {
  /// One after another, in order.
  case concat
  /// The newest only; the one before it is disposed.
  case latest
  /// All at the same time.
  case merge
}
