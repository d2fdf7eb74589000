/// An element that waits for its time, and the context that it came in: who is told of it later is told in that one, whatever set
/// the timer.
struct Carried<Element> {
  let element: Element
  private let carrier = Tracing.carrier()

  init(_ element: Element) { self.element = element }

  /// Sends the elements on, each in the context that it came in.
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
