import ReactiveKit
import ReactiveTrace
import Synchronization

/// A session that watches the price of a symbol for one client.
final class AlertSession: Sendable {
  let alerts = PassthroughSubject<Alert, Never>()

  private static let chartLength = 1_000

  private let limit: Int
  private let chart = Mutex<[Price]>([])
  private let bag = DisposeBag()

  init(feed: Market.Feed, above limit: Int) {
    self.limit = limit
    // The prices are in the lane of the feed. Here, the log only has the lifetime of the session.
    feed
      .lane("alerts.watch", filter: .subscription)
      .observeNext { [weak self] in self?.look(at: $0) }
      .dispose(in: bag)
  }

  private func look(at price: Price) {
    let alert = chart.withLock { chart -> Alert? in
      let wasBelow = chart.last.map { $0.cents <= limit } ?? false
      if chart.count == Self.chartLength { chart.removeFirst() }
      chart.append(price)
      // Notifies the client when the price crosses the limit, not at each price above it.
      return price.cents > limit && wasBelow ? Alert(price: price, chart: chart) : nil
    }
    if let alert { alerts.send(alert) }
  }
}
