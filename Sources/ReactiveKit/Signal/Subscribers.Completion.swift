/// A namespace for the types that Combine-style subscribing needs.
public enum Subscribers {
  /// The end of a signal: completion or failure.
  @frozen
  public enum Completion<Failure: Swift.Error> {
    case finished
    case failure(Failure)
  }
}

extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}
extension Subscribers.Completion: Sendable {}
