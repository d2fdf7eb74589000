import ReactiveKit

extension LeakCase {
  static let priceTag = cycle(
    "map", lanes: ["tag.price"], path: ["closure", "PriceTag.text"], breaks: "closure",
    .now {
      let tag = PriceTag(currency: "EUR")
      Shop.price.send(12)
      return tag
    })
}

enum Shop {
  static let price = PassthroughSubject<Int, Never>()
}

/// A tag with a price. The property's bag retains the binding, whose `map` retains the tag.
final class PriceTag {
  let text = Property("")
  private let currency: String

  init(currency: String) {
    self.currency = currency
    Shop.price
      .traced("tag.price")
      .map { self.format($0) }
      .bind(to: text)  // observed
  }

  private func format(_ price: Int) -> String { "\(price) \(currency)" }
}
