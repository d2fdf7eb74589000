import Foundation
import ReactiveKit

extension LeakCase {
  static let seatReservation = held(
    "lock-protected", lanes: ["seat.prices"], roots: ["SeatRegistry.shared"],
    path: ["SeatReservation.bag"], also: ["SeatRegistry.open"],
    holder: ["SeatReservation.bag"], alive: true,
    .now {
      let reservation = SeatReservation()
      reservation.hold()
      return reservation
    })
}

/// A registry of all reservations, protected by a lock.
final class SeatRegistry: @unchecked Sendable {
  static let shared = SeatRegistry()
  static let prices = PassthroughSubject<Int, Never>()
  private let lock = NSLock()
  private var open: [Int: [SeatReservation]] = [:]

  func add(_ reservation: SeatReservation, row: Int) {
    lock.withLock { open[row, default: []].append(reservation) }
  }
}

/// A reservation that is added to a registry and never removed.
final class SeatReservation {
  private var price = 0
  private let bag = DisposeBag()

  func hold() {
    SeatRegistry.prices
      .traced("seat.prices")
      .observeNext { [weak self] in self?.price = $0 }  // observed
      .dispose(in: bag)
    SeatRegistry.shared.add(self, row: 12)
  }
}
