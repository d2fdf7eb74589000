import ReactiveKit

extension LeakCase {
  static let ratesScreen = held(
    "share-kept-alive", lanes: ["rates.feed"], roots: ["CentralBank.rates"], alive: false,
    .now {
      let screen = RatesScreen()
      CentralBank.rates.send(4)
      return screen
    })
}

enum CentralBank {
  static let rates = PassthroughSubject<Int, Never>()
}

/// A screen that shares a subscription that stays active without observers.
final class RatesScreen {
  private var rate = 0
  private let bag = DisposeBag()

  init() {
    CentralBank.rates
      .traced("rates.feed")
      .share(limit: 1, keepAlive: true)
      .observeNext { [weak self] in self?.rate = $0 }  // observed
      .dispose(in: bag)
  }
}
