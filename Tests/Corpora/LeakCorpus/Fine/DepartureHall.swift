import ReactiveKit

extension LeakCase {
  static let departureHall = fine(
    "share-five-observers", lanes: ["hall.departures", "hall.display"],
    .now {
      let hall = DepartureHall()
      hall.open()
      for minute in 1...4 { Airfield.departures.send(minute) }
      hall.close()
      return hall
    })
}

enum Airfield {
  static let departures = PassthroughSubject<Int, Never>()
}

/// A hall whose five displays share one subscription, so no work is done twice.
final class DepartureHall {
  private var displays = [0, 0, 0, 0, 0]
  private let bag = DisposeBag()

  func open() {
    let departures = Airfield.departures.map { $0 * 60 }.traced("hall.departures").share(limit: 1)
    for display in displays.indices {
      departures
        .traced("hall.display")
        .observeNext { [weak self] in self?.displays[display] = $0 }  // observed
        .dispose(in: bag)
    }
  }

  func close() { bag.dispose() }
}
