import ReactiveKit

extension LeakCase {
  static let quoteTicker = cycle(
    "captured-bag", lanes: ["quote.prices"],
    path: ["closure", "captures bag (DisposeBag)"], breaks: "closure",
    .now {
      QuoteTicker().open()
      Quotes.prices.send(99)
      return nil
    })
}

enum Quotes {
  static let prices = PassthroughSubject<Int, Never>()
}

/// A ticker whose observer captures the bag that disposes it, and never uses the bag.
final class QuoteTicker {
  func open() {
    let bag = DisposeBag()
    Quotes.prices
      .traced("quote.prices")
      .observeNext { price in  // observed
        if price < 0 { bag.dispose() }
      }
      .dispose(in: bag)
  }
}
