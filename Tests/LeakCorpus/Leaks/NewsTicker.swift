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

/// Refreshes once a minute. The timer holds the closure, and nobody can stop the timer.
final class NewsTicker {
  private var refreshes = 0

  func start() {
    _ = Signal<Int, Never>(sequence: 0..., interval: 60)
      .traced("ticker.refresh")
      .observeNext { _ in self.refreshes += 1 }  // observed
  }
}
