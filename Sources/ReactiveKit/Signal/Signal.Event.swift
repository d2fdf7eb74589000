extension Signal {
  /// An event of a signal: an element or the signal's end.
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

  /// A Boolean value that indicates whether the event is a failure or a completion, after which
  /// nothing follows.
  @inlinable
  public var isTerminal: Bool { !isNext }
}

extension Signal.Event: Equatable where Element: Equatable, Error: Equatable {}
extension Signal.Event: Sendable where Element: Sendable {}
