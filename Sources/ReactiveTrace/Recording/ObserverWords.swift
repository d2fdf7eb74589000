import ReactiveKit

/// The addresses of a closure's code and of its context, or zeros.
@usableFromInline
struct ObserverWords: Sendable {
  let function: UInt
  let context: UInt

  init(function: UInt, context: UInt) {
    (self.function, self.context) = (function, context)
  }

  /// Creates the words of a closure.
  ///
  /// Passing it as a value of any type would wrap it in a closure that is deallocated immediately,
  /// so it goes into a structure first. `withUnsafeBytes` would look up the type of the structure,
  /// which takes 340 instructions.
  init<Element, Error: Swift.Error>(_ observer: @escaping Observer<Element, Error>) {
    var kept = Kept(observer: observer)
    self.init(&kept)
  }

  private init<Element, Error: Swift.Error>(_ kept: UnsafePointer<Kept<Element, Error>>) {
    let words = UnsafeRawPointer(kept)
    self.init(
      function: words.load(as: UInt.self), context: words.load(fromByteOffset: 8, as: UInt.self))
  }

  private struct Kept<Element, Error: Swift.Error> {
    let observer: Observer<Element, Error>
  }
}
