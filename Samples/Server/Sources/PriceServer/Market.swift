import ReactiveKit
import ReactiveTrace
import ServiceLifecycle

/// A simulated market: a feed of prices for each symbol, from the start of the server to its end.
final class Market: Service {
  /// The price of a symbol, shared by all its observers. An observer first gets the latest one.
  typealias Feed = ReplayOneSubject<Price, Never>

  /// The seconds between two ticks.
  private static let interval = 0.02

  private let feeds: [String: Feed]
  private let seed: UInt64

  init(symbols: [String], seed: UInt64) {
    feeds = Dictionary(uniqueKeysWithValues: symbols.map { ($0, Feed()) })
    self.seed = seed
  }

  /// Returns the feed of a symbol, or nil if there is no such symbol.
  func feed(of symbol: String) -> Feed? { feeds[symbol] }

  /// Sends prices until the server shuts down.
  func run() async throws {
    let bag = DisposeBag()
    defer { bag.dispose() }
    for (symbol, feed) in feeds {
      Signal(sequence: RandomWalk(symbol: symbol, seed: seed), interval: Self.interval)
        .lane("prices.feed", lifetime: .process)
        .multicast(subject: feed)
        .connect()
        .dispose(in: bag)
    }
    try await gracefulShutdown()
    Trace.mark("market closes")
  }
}
