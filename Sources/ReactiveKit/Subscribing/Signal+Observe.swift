extension SignalProtocol {
  /// Subscribes with an observer object.
  public func observe<O: ObserverProtocol>(with observer: O) -> any Disposable
  where O.Element == Element, O.Error == Error {
    observe(with: observer.on)
  }

  /// Subscribes, and calls the closure for each element.
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

  /// Subscribes, and calls the closure if the signal fails.
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

  /// Subscribes, and calls the closure when the signal completes.
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
