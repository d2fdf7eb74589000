extension SignalProtocol {
  /// Sends only the elements for which the first element of the closure's signal is true.
  ///
  /// With `.concat`, elements keep their order and wait for each other's answers. With `.latest`, a
  /// new element cancels the pending answer for the previous element.
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
