import ReactiveKit

extension LeakCase {
  static let stockTicker = held(
    "share-observer-left", lanes: ["stock.row"], upstream: ["stock.feed"],
    roots: ["StockExchange.prices"], holder: ["discarded"], alive: false,
    .now {
      let ticker = StockTicker()
      StockExchange.prices.send(42)
      return ticker
    })
}

enum StockExchange {
  static let prices = PassthroughSubject<Int, Never>()
}

/// A ticker that shares one subscription between two rows. Only one row disposes its observation.
final class StockTicker {
  private var rows = [0, 0]
  private let bag = DisposeBag()

  init() {
    let prices = StockExchange.prices.traced("stock.feed").share(limit: 1)
    _ =
      prices
      .traced("stock.row")
      .observeNext { [weak self] in self?.rows[0] = $0 }  // observed
    prices
      .traced("stock.row")
      .observeNext { [weak self] in self?.rows[1] = $0 }
      .dispose(in: bag)
  }
}
