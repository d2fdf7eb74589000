import ReactiveKit

extension LeakCase {
  static let relayRace = fine(
    "share-relay", lanes: ["relay.time", "relay.runner"],
    .now {
      let race = RelayRace()
      race.run()
      return race
    })
}

enum RaceClock {
  static let seconds = PassthroughSubject<Int, Never>()
}

/// A race in which each runner subscribes before the previous one stops, so the connection moves to
/// the next runner until the last one ends it.
final class RelayRace {
  private var times = [0, 0, 0, 0]

  func run() {
    let time = RaceClock.seconds.traced("relay.time").share(limit: 1)
    var running: (any Disposable)?
    for runner in times.indices {
      let next =
        time
        .traced("relay.runner")
        .observeNext { [weak self] in self?.times[runner] = $0 }  // observed
      running?.dispose()
      running = next
      RaceClock.seconds.send(runner)
    }
    running?.dispose()
  }
}
