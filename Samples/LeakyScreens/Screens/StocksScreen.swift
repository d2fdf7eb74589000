import ReactiveKit
import ReactiveTrace

extension Lesson {
  static let stocks = Lesson(
    name: "StocksScreen",
    lane: "stocks.quotes",
    mistake: "The connection of a published signal is discarded, so it is never disconnected.",
    cure: "Use share, which disconnects when the last observer leaves.",
    leaky: {
      let screen = StocksScreen()
      screen.open()
      Exchange.quotes.send(42)
    },
    cured: {
      let screen = CuredStocksScreen()
      screen.open()
      Exchange.quotes.send(42)
    })
}

private enum Exchange {
  static let quotes = PassthroughSubject<Int, Never>()
}

/// A screen that shows a quote as a number and as a chart, both from one subscription.
private final class StocksScreen {
  private var quote = 0
  private var chart: [Int] = []
  private let bag = DisposeBag()

  func open() {
    let quotes = Exchange.quotes.lane("stocks.quotes").publish()
    quotes.observeNext { [weak self] in self?.quote = $0 }.dispose(in: bag)
    quotes.observeNext { [weak self] in self?.chart.append($0) }.dispose(in: bag)
    _ = quotes.connect()  // observed
  }
}

private final class CuredStocksScreen {
  private var quote = 0
  private var chart: [Int] = []
  private let bag = DisposeBag()

  func open() {
    let quotes = Exchange.quotes.lane("stocks.quotes").share()
    quotes.observeNext { [weak self] in self?.quote = $0 }.dispose(in: bag)
    quotes.observeNext { [weak self] in self?.chart.append($0) }.dispose(in: bag)
  }
}
