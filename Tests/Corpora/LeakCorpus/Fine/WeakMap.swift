import ReactiveKit

extension LeakCase {
  static let weakMap = fine(
    "map-weak", lanes: ["mapped.prices"],
    .now {
      let tag = WeakMap()
      Market.prices.send(12)
      return tag
    })
}

enum Market {
  static let prices = PassthroughSubject<Int, Never>()
}

/// An object that captures itself weakly in the operator, too.
final class WeakMap {
  private let text = Property<String?>(nil)
  private let currency = "EUR"

  init() {
    Market.prices
      .traced("mapped.prices")
      .map { [weak self] price in self?.format(price) }
      .bind(to: text)  // observed
  }

  private func format(_ price: Int) -> String { "\(price) \(currency)" }
}
