import ReactiveKit

extension LeakCase {
  static let seatMap = fine(
    "property-many-rows", lanes: ["seats.free"],
    .now {
      let map = SeatMap()
      map.open()
      for free in [40, 39, 38] { BoxOffice.free.value = free }
      map.close()
      return map
    })
}

enum BoxOffice {
  static let free = Property(41)
}

/// A map whose four rows observe one property, so nothing is computed four times.
final class SeatMap {
  private var rows = [0, 0, 0, 0]
  private let bag = DisposeBag()

  func open() {
    for row in rows.indices {
      BoxOffice.free
        .traced("seats.free")
        .observeNext { [weak self] in self?.rows[row] = $0 }  // observed
        .dispose(in: bag)
    }
  }

  func close() { bag.dispose() }
}
