import ReactiveKit

extension LeakCase {
  static let seatPlan = cycle(
    "two-captures", lanes: ["seat.prices"],
    path: ["closure", "captures self strongly", "SeatPlan.onSelect"], also: ["SeatPlan.bag"],
    breaks: "closure",
    .now {
      let map = SeatPlan()
      map.open(row: 3)
      SeatSales.prices.send(12)
      return map
    })
}

enum SeatSales {
  static let prices = PassthroughSubject<Int, Never>()
}

/// A map with a closure that captures it and a number. The observation is weak.
final class SeatPlan {
  private var price = 0
  private var row = 0
  private var onSelect: () -> Void = {}
  private let bag = DisposeBag()

  func open(row: Int) {
    SeatSales.prices
      .traced("seat.prices")
      .observeNext { [weak self] in self?.price = $0 }  // observed
      .dispose(in: bag)
    onSelect = { self.row = row }
  }
}
