import ReactiveKit

extension LeakCase {
  static let harborBoard = cycle(
    "share-first-observer-ended", lanes: ["harbor.board"], upstream: ["harbor.ships"],
    path: ["closure", "HarborBoard.bag"], also: ["HarborBoard.feed"], breaks: "closure",
    .now {
      let feed = HarborFeed()
      let splash = HarborSplash()
      splash.show(feed)
      let board = HarborBoard(feed)
      board.open()
      Pier.arrivals.send("Aurora")
      splash.close()
      Pier.arrivals.send("Borealis")
      return board
    })
}

enum Pier {
  static let arrivals = PassthroughSubject<String, Never>()
}

/// A feed that shares one subscription among all screens.
final class HarborFeed {
  let ships = Pier.arrivals.map { "SS " + $0 }.traced("harbor.ships").share(limit: 1)
}

/// A screen that observes first, and closes correctly.
final class HarborSplash {
  private var greeting = ""
  private let bag = DisposeBag()

  func show(_ feed: HarborFeed) {
    feed.ships
      .traced("harbor.splash")
      .observeNext { [weak self] in self?.greeting = $0 }
      .dispose(in: bag)
  }

  func close() { bag.dispose() }
}

/// A screen that observes later. Its closure and its bag retain each other.
final class HarborBoard {
  private var rows: [String] = []
  private let feed: HarborFeed
  private let bag = DisposeBag()

  init(_ feed: HarborFeed) { self.feed = feed }

  func open() {
    feed.ships
      .traced("harbor.board")
      .observeNext { self.rows.append($0) }  // observed
      .dispose(in: bag)
  }
}
