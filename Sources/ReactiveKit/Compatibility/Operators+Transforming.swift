public import Dispatch

// ReactiveKit 3.0 and 3.7 use these names for operators that transform, time and watch events.
extension SignalProtocol {
  @available(*, deprecated, renamed: "append(_:)")
  public func concat<O: SignalProtocol>(with other: O) -> Signal<Element, Error>
  where O.Element == Element, O.Error == Error {
    append(other)
  }

  @available(*, deprecated, renamed: "append(_:)")
  @_disfavoredOverload
  public func concat<O: SignalProtocol>(with other: O) -> Signal<Element, Error>
  where O.Element == Element, O.Error == Never {
    append(other)
  }

  @available(*, deprecated, renamed: "prepend(_:)")
  public func start(with element: Element) -> Signal<Element, Error> { prepend(element) }

  @available(*, deprecated, renamed: "buffer(size:)")
  public func buffer(ofSize size: Int) -> Signal<[Element], Error> { buffer(size: size) }

  @available(*, deprecated, renamed: "replaceEmpty(with:)")
  public func defaultIfEmpty(_ element: Element) -> Signal<Element, Error> {
    replaceEmpty(with: element)
  }

  @available(*, deprecated, renamed: "replaceElements(with:)")
  public func replace<U>(with element: U) -> Signal<U, Error> { replaceElements(with: element) }

  @available(*, deprecated, renamed: "debounce(for:queue:)")
  public func debounce(
    interval: Double, on queue: DispatchQueue = DispatchQueue(label: "reactive_kit.debounce")
  ) -> Signal<Element, Error> {
    debounce(for: interval, queue: queue)
  }

  @available(*, deprecated, renamed: "debounce(for:queue:)")
  public func debounce(interval: Double, queue: DispatchQueue) -> Signal<Element, Error> {
    debounce(for: interval, queue: queue)
  }

  /// Returns a signal that sends at most one element every `seconds` seconds, always the first one.
  @available(
    *, deprecated,
    message: "throttle(for:queue:latest:) sends the newest element too; pass latest: false.",
    renamed: "throttle(for:queue:latest:)"
  )
  public func throttle(seconds: Double) -> Signal<Element, Error> {
    throttleInPlace(
      for: seconds, scheduler: DispatchQueue(label: "reactive_kit.throttle"), latest: false)
  }

  @available(
    *, deprecated,
    renamed: "handleEvents(receiveSubscription:receiveOutput:receiveCompletion:receiveCancel:)"
  )
  public func doOn(
    next: ((Element) -> Void)? = nil, start: (() -> Void)? = nil,
    failed: ((Error) -> Void)? = nil, completed: (() -> Void)? = nil,
    disposed: (() -> Void)? = nil
  ) -> Signal<Element, Error> {
    handleEvents(
      receiveSubscription: start, receiveOutput: next,
      receiveCompletion: {
        switch $0 {
        case .failure(let error): failed?(error)
        case .finished: completed?()
        }
      }, receiveCancel: disposed)
  }
}

extension SignalProtocol where Element: Sequence {
  @available(*, deprecated, renamed: "flattenElements()")
  public func unwrap() -> Signal<Element.Iterator.Element, Error> { flattenElements() }
}

extension SignalProtocol where Error == Never {
  @available(*, deprecated, renamed: "append(_:)")
  @_disfavoredOverload
  public func concat<O: SignalProtocol>(with other: O) -> Signal<Element, O.Error>
  where O.Element == Element {
    append(other)
  }

  /// Returns the elements of a signal of events.
  @available(*, deprecated, renamed: "compactMap(_:)")
  public func elements<E, F>() -> Signal<E, Never> where Element == Signal<E, F>.Event {
    compactMap { $0.element }
  }

  /// Returns the errors of a signal of events.
  @available(*, deprecated, renamed: "compactMap(_:)")
  public func errors<E, F>() -> Signal<F, Never> where Element == Signal<E, F>.Event {
    compactMap { $0.error }
  }
}
