extension SignalProtocol where Element: Sendable, Error == Never {
  /// Calls the setter on the main actor for each element. The binding ends when the target is
  /// deallocated, and the setter never runs after that.
  ///
  /// Elements arrive in the order and at the time that `observeOnMainActor(with:)` describes.
  @discardableResult
  public func bindOnMainActor<Target: Deallocatable & Sendable>(
    to target: Target, setter: @escaping @MainActor (Target, Element) -> Void
  ) -> any Disposable {
    receivedOnMainActor().bind(to: target, context: .immediate) { target, element in
      MainActor.assumeIsolated { setter(target, element) }
    }
  }

  /// Writes each element to a property of the target on the main actor. The binding ends when the
  /// target is deallocated.
  @discardableResult
  public func bindOnMainActor<Target: Deallocatable & Sendable>(
    to target: Target, keyPath: ReferenceWritableKeyPath<Target, Element>
  ) -> any Disposable {
    // A key path isn't `Sendable`. Sharing it is safe because the code only reads it.
    let path = Transferred(keyPath)
    return bindOnMainActor(to: target) { $0[keyPath: path.value] = $1 }
  }
}
