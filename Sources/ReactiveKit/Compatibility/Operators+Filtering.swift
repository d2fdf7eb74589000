// ReactiveKit 3.0 and 3.7 use these names for operators that filter.
extension SignalProtocol {
  @available(*, deprecated, renamed: "prefix(maxLength:)")
  public func take(first count: Int) -> Signal<Element, Error> { prefix(maxLength: count) }

  @available(*, deprecated, renamed: "suffix(maxLength:)")
  public func take(last count: Int) -> Signal<Element, Error> { suffix(maxLength: count) }

  @available(*, deprecated, renamed: "prefix(while:)")
  public func take(while shouldContinue: @escaping (Element) -> Bool) -> Signal<Element, Error> {
    prefix(while: shouldContinue)
  }

  @available(*, deprecated, renamed: "prefix(untilOutputFrom:)")
  public func take<O: SignalProtocol>(until other: O) -> Signal<Element, Error> {
    prefix(untilOutputFrom: other)
  }

  @available(*, deprecated, renamed: "dropFirst(_:)")
  public func skip(first count: Int) -> Signal<Element, Error> { dropFirst(count) }

  @available(*, deprecated, renamed: "dropLast(_:)")
  public func skip(last count: Int) -> Signal<Element, Error> { dropLast(count) }

  @available(*, deprecated, renamed: "dropFirst(for:)")
  public func skip(interval: Double) -> Signal<Element, Error> { dropFirst(for: interval) }

  @available(
    *, deprecated, message: "The closure of removeDuplicates(by:) says when elements are equal.",
    renamed: "removeDuplicates(by:)"
  )
  public func distinct(areDistinct: @escaping (Element, Element) -> Bool)
    -> Signal<Element, Error>
  {
    removeDuplicates { !areDistinct($0, $1) }
  }

  @available(
    *, deprecated, message: "The closure of removeDuplicates(by:) says when elements are equal.",
    renamed: "removeDuplicates(by:)"
  )
  public func distinctUntilChanged(_ areDistinct: @escaping (Element, Element) -> Bool)
    -> Signal<Element, Error>
  {
    removeDuplicates { !areDistinct($0, $1) }
  }

  @available(*, deprecated, renamed: "output(at:)")
  public func element(at index: Int) -> Signal<Element, Error> { output(at: index) }

  @available(*, deprecated, renamed: "ignoreOutput()")
  public func ignoreElements() -> Signal<Element, Error> { ignoreOutput() }
}

extension SignalProtocol where Element: Equatable {
  @available(*, deprecated, renamed: "removeDuplicates()")
  public func distinct() -> Signal<Element, Error> { removeDuplicates() }

  @available(*, deprecated, renamed: "removeDuplicates()")
  public func distinctUntilChanged() -> Signal<Element, Error> { removeDuplicates() }
}

extension SignalProtocol where Element: OptionalProtocol {
  @available(*, deprecated, renamed: "ignoreNils()")
  public func ignoreNil() -> Signal<Element.Wrapped, Error> { ignoreNils() }

  @available(*, deprecated, renamed: "ignoreNils()")
  public func unwrap() -> Signal<Element.Wrapped, Error> { ignoreNils() }

  @available(*, deprecated, renamed: "replaceNils(with:)")
  public func replaceNil(with value: Element.Wrapped) -> Signal<Element.Wrapped, Error> {
    replaceNils(with: value)
  }
}
