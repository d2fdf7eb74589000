extension SignalProtocol {
  /// Observes with an observer object.
  public func observe<O: ObserverProtocol>(with observer: O) -> any Disposable
  where O.Element == Element, O.Error == Error {
    observe(with: observer.on)
  }

  /// Observes elements only.
  @inlinable
  public func observeNext(with observer: @escaping (Element) -> Void) -> any Disposable {
    observeChain { event in
      if case .next(let element) = event { observer(element) }
    }
  }

  /// Observes failure only.
  @inlinable
  public func observeFailed(with observer: @escaping (Error) -> Void) -> any Disposable {
    observeChain { event in
      if case .failed(let error) = event { observer(error) }
    }
  }

  /// Observes completion only.
  @inlinable
  public func observeCompleted(with observer: @escaping () -> Void) -> any Disposable {
    observeChain { event in
      if case .completed = event { observer() }
    }
  }
}
