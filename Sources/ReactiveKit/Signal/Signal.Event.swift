extension Signal {
  /// What a signal sends: an element, or its end.
  @frozen
  public enum Event {
    case next(Element)
    case failed(Error)
    case completed
  }
}

extension Signal.Event {
  @inlinable
  public var element: Element? {
    if case .next(let element) = self { return element }
    return nil
  }

  @inlinable
  public var error: Error? {
    if case .failed(let error) = self { return error }
    return nil
  }

  @inlinable
  public var isNext: Bool {
    if case .next = self { return true }
    return false
  }

  @inlinable
  public var isFailed: Bool {
    if case .failed = self { return true }
    return false
  }

  @inlinable
  public var isCompleted: Bool {
    if case .completed = self { return true }
    return false
  }

  /// Whether nothing can follow: failed or completed.
  @inlinable
  public var isTerminal: Bool { !isNext }
}

extension Signal.Event: Equatable where Element: Equatable, Error: Equatable {}
extension Signal.Event: Sendable where Element: Sendable {}
