extension SignalProtocol where Element: Sendable {
  /// Subscribes, and calls the closure on the main actor for each event.
  ///
  /// Events keep their order. An event that is sent on the main actor is delivered before the call
  /// that sends it returns, unless another event is being delivered. Any other event is delivered
  /// in a later turn of the main queue. After `dispose()` returns on the main actor, the closure
  /// isn't called anymore, even if events wait.
  public func observeOnMainActor(
    with observer: @escaping @MainActor (Signal<Element, Error>.Event) -> Void
  ) -> any Disposable {
    receivedOnMainActor().observeChain { event in
      MainActor.assumeIsolated { observer(event) }
    }
  }

  /// Subscribes, and calls the closure on the main actor for each element.
  ///
  /// Elements arrive in the order and at the time that `observeOnMainActor(with:)` describes.
  public func observeNextOnMainActor(
    with observer: @escaping @MainActor (Element) -> Void
  ) -> any Disposable {
    receivedOnMainActor().observeNext { element in
      MainActor.assumeIsolated { observer(element) }
    }
  }

  /// Subscribes, and calls the closure on the main actor if the signal fails, after all earlier
  /// elements are delivered.
  public func observeFailedOnMainActor(
    with observer: @escaping @MainActor (Error) -> Void
  ) -> any Disposable {
    receivedOnMainActor().observeFailed { error in
      MainActor.assumeIsolated { observer(error) }
    }
  }

  /// Subscribes, and calls the closure on the main actor when the signal completes, after all
  /// earlier elements are delivered.
  public func observeCompletedOnMainActor(
    with observer: @escaping @MainActor () -> Void
  ) -> any Disposable {
    receivedOnMainActor().observeCompleted { MainActor.assumeIsolated { observer() } }
  }

  /// Subscribes with closures that run on the main actor, until the result is canceled or
  /// deallocated.
  ///
  /// Events arrive in the order and at the time that `observeOnMainActor(with:)` describes.
  public func sinkOnMainActor(
    receiveCompletion: @escaping @MainActor (Subscribers.Completion<Error>) -> Void,
    receiveValue: @escaping @MainActor (Element) -> Void
  ) -> AnyCancellable {
    receivedOnMainActor().sink(
      receiveCompletion: { end in MainActor.assumeIsolated { receiveCompletion(end) } },
      receiveValue: { element in MainActor.assumeIsolated { receiveValue(element) } })
  }
}

extension SignalProtocol where Element: Sendable, Error == Never {
  /// Subscribes, and calls the closure on the main actor for each element, until the result is
  /// canceled or deallocated.
  ///
  /// Elements arrive in the order and at the time that `observeOnMainActor(with:)` describes.
  public func sinkOnMainActor(
    receiveValue: @escaping @MainActor (Element) -> Void
  ) -> AnyCancellable {
    AnyCancellable(observeNextOnMainActor(with: receiveValue))
  }

  /// Writes each element to a property of the object on the main actor, until the result is
  /// canceled or deallocated. Keeps the object alive in the meantime.
  public func assignOnMainActor<Root: AnyObject & Sendable>(
    to keyPath: ReferenceWritableKeyPath<Root, Element>, on object: Root
  ) -> AnyCancellable {
    // A key path isn't `Sendable`. Sharing it is safe because the code only reads it.
    let path = Transferred(keyPath)
    return sinkOnMainActor { object[keyPath: path.value] = $0 }
  }
}
