import ReactiveKit

extension LeakCase {
  static let newsTicker = held(
    "interval-discarded", lanes: ["ticker.refresh"], roots: [], holder: ["discarded"], alive: true,
    .now {
      let ticker = NewsTicker()
      ticker.start()
      return ticker
    })
}

/// A ticker that refreshes once a minute. Nothing can stop its timer, which retains the closure.
final class NewsTicker {
  private var refreshes = 0

  func start() {
    _ = Signal<Int, Never>(sequence: 0..., interval: 60)
      .traced("ticker.refresh")
      .observeNext { _ in self.refreshes += 1 }  // observed
  }
}
