import ReactiveKit

extension LeakCase {
  static let usageStatistics = held(
    "bag-in-static", lanes: ["statistics.minutes"], roots: ["UsageStatistics.bag", "WallClock"],
    holder: ["bag"], alive: true,
    .now {
      let page = UsagePage()
      page.open()
      WallClock.minutes.send(1)
      return page
    })
}

enum WallClock {
  static let minutes = PassthroughSubject<Int, Never>()
}

enum UsageStatistics {
  static let bag = DisposeBag()
}

/// A page that puts its subscription into a bag for the life of the process.
final class UsagePage {
  private var minutes = 0

  func open() {
    WallClock.minutes
      .traced("statistics.minutes")
      .observeNext { self.minutes += $0 }  // observed
      .dispose(in: UsageStatistics.bag)
  }
}
