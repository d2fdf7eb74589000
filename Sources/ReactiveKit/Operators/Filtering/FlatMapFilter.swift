extension SignalProtocol {
  /// Sends the elements for which the first element of the signal that the closure makes is true.
  ///
  /// With `.concat` elements keep their order and wait for each other's answers; with `.latest` a new element calls off
  /// the question for the one before it.
  @inlinable
  public func flatMapFilter(
    _ strategy: FlattenStrategy = .concat,
    _ isIncluded: @escaping (Element) -> SafeSignal<Bool>
  ) -> Signal<Element, Error> {
    flatMap(strategy) { element -> SafeSignal<Element> in
      isIncluded(element).first().compactMap { $0 ? element : nil }
    }
  }
}
