// ReactiveKit 3.0 and 3.7 use these names for operators that join signals and recover from
// failures.
extension SignalProtocol {
  @available(*, deprecated, renamed: "replaceError(with:)")
  public func recover(with element: Element) -> Signal<Element, Never> {
    replaceError(with: element)
  }

  @available(*, deprecated, renamed: "retry(_:)")
  public func retry(times: Int) -> Signal<Element, Error> { retry(times) }
}

@available(*, deprecated, renamed: "Signal.init(combiningLatest:combine:)")
public func combineLatest<Element, Result, Error>(
  _ signals: [Signal<Element, Error>], combine: @escaping ([Element]) -> Result
) -> Signal<Result, Error> {
  Signal(combiningLatest: signals, combine: combine)
}

@available(*, deprecated, renamed: "Signal.init(flattening:strategy:)")
public func merge<Element, Error>(_ signals: [Signal<Element, Error>]) -> Signal<Element, Error> {
  Signal(flattening: signals, strategy: .merge)
}
