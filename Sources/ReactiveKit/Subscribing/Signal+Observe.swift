extension SignalProtocol {
  /// Observes with an observer object.
  public func observe<O: ObserverProtocol>(with observer: O) -> any Disposable
  where O.Element == Element, O.Error == Error {
    observe(with: observer.on)
  }

  /// Observes elements only.
  @inlinable
  public func observeNext(with observer: @escaping (Element) -> Void) -> any Disposable {
    observeEnd { chain in
      { event in
        guard !chain.isDisposed else { return }
        if case .next(let element) = event { observer(element) }
        if event.isTerminal { chain.dispose() }
      }
    }
  }

  /// Observes failure only.
  @inlinable
  public func observeFailed(with observer: @escaping (Error) -> Void) -> any Disposable {
    observeEnd { chain in
      { event in
        guard !chain.isDisposed else { return }
        if case .failed(let error) = event { observer(error) }
        if event.isTerminal { chain.dispose() }
      }
    }
  }

  /// Observes completion only.
  @inlinable
  public func observeCompleted(with observer: @escaping () -> Void) -> any Disposable {
    observeEnd { chain in
      { event in
        guard !chain.isDisposed else { return }
        if case .completed = event { observer() }
        if event.isTerminal { chain.dispose() }
      }
    }
  }
}
