/// A type whose value can follow a signal.
public protocol BindableProtocol {
  associatedtype Element

  /// Follows the signal until the result is disposed or the bindable is deallocated.
  func bind(signal: Signal<Element, Never>) -> any Disposable
}

extension SignalProtocol where Error == Never {
  /// Binds this signal to a bindable. The binding ends when the bindable is deallocated.
  @discardableResult
  public func bind<B: BindableProtocol>(to bindable: B) -> any Disposable
  where B.Element == Element {
    bindable.bind(signal: toSignal())
  }

  /// Binds this signal to a bindable whose element is optional. The binding ends when the bindable
  /// is deallocated.
  @discardableResult
  public func bind<B: BindableProtocol>(to bindable: B) -> any Disposable
  where B.Element: OptionalProtocol, B.Element.Wrapped == Element {
    bindable.bind(signal: map { B.Element($0) })
  }

  /// Calls the setter for each element in the target's own execution context. The binding ends when
  /// the target is deallocated.
  @discardableResult
  public func bind<Target: Deallocatable & BindingExecutionContextProvider>(
    to target: Target, setter: @escaping (Target, Element) -> Void
  ) -> any Disposable {
    bind(to: target, context: target.bindingExecutionContext, setter: setter)
  }

  /// Calls the setter for each element in the given execution context. The binding ends when the
  /// target is deallocated, and the setter never runs after that.
  @discardableResult
  public func bind<Target: Deallocatable>(
    to target: Target, context: ExecutionContext, setter: @escaping (Target, Element) -> Void
  ) -> any Disposable {
    let disposable = SerialDisposable(otherDisposable: nil)
    let untilDeallocated = target.deallocated.observeCompleted { disposable.dispose() }
    // The observation of the target's deallocation retains the binding. The binding's own observer
    // doesn't.
    let setting = receive(on: context).observe { [weak target, weak disposable] event in
      switch event {
      case .next(let element): if let target { setter(target, element) }
      case .completed: disposable?.dispose()
      }
    }
    disposable.otherDisposable = CompositeDisposable([untilDeallocated, setting])
    return disposable
  }

  /// Writes each element to a property of the target in the target's own execution context.
  @discardableResult
  public func bind<Target: Deallocatable & BindingExecutionContextProvider>(
    to target: Target, keyPath: ReferenceWritableKeyPath<Target, Element>
  ) -> any Disposable {
    bind(to: target, setter: { $0[keyPath: keyPath] = $1 })
  }

  /// Writes each element to a property of the target in the given execution context.
  @discardableResult
  public func bind<Target: Deallocatable>(
    to target: Target, keyPath: ReferenceWritableKeyPath<Target, Element>,
    context: ExecutionContext
  ) -> any Disposable {
    bind(to: target, context: context, setter: { $0[keyPath: keyPath] = $1 })
  }
}

extension SignalProtocol where Error == Never, Element == Void {
  /// Calls the setter for each element in the target's own execution context. The binding ends when
  /// the target is deallocated.
  @discardableResult
  public func bind<Target: Deallocatable & BindingExecutionContextProvider>(
    to target: Target, setter: @escaping (Target) -> Void
  ) -> any Disposable {
    bind(to: target, setter: { target, _ in setter(target) })
  }

  /// Calls the setter for each element in the given execution context. The binding ends when the
  /// target is deallocated.
  @discardableResult
  public func bind<Target: Deallocatable>(
    to target: Target, context: ExecutionContext, setter: @escaping (Target) -> Void
  ) -> any Disposable {
    bind(to: target, context: context, setter: { target, _ in setter(target) })
  }
}
