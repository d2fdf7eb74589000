/// The namespace of the types that Combine-shaped subscribing needs.
public enum Subscribers {
  /// How a signal ended.
  @frozen
  public enum Completion<Failure: Swift.Error> {
    case finished
    case failure(Failure)
  }
}

extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}
extension Subscribers.Completion: Sendable {}
