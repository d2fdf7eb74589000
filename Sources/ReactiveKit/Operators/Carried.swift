/// An element that waits for delivery, with the context that it arrived in. The element is
/// delivered in that context, regardless of what set the timer.
struct Carried<Element> {
  let element: Element
  private let carrier = Tracing.carrier()

  init(_ element: Element) { self.element = element }

  /// Returns an observer that passes on each element in the context that it arrived in.
  static func unpacking<Error: Swift.Error>(
    _ observer: @escaping Observer<Element, Error>
  ) -> Observer<Carried<Element>, Error> {
    { event in
      switch event {
      case .next(let carried):
        if let carrier = carried.carrier {
          carrier { observer(.next(carried.element)) }
        } else {
          observer(.next(carried.element))
        }
      case .failed(let error): observer(.failed(error))
      case .completed: observer(.completed)
      }
    }
  }
}
