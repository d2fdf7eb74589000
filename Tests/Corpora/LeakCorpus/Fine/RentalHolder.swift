import ReactiveKit

extension LeakCase {
  static let rentalHolder = fine(
    "own-disposable-type-disposed", lanes: ["rental.renewals"],
    .now {
      let holder = RentalHolder()
      holder.rent()
      Agency.renewals.send(1)
      holder.giveBack()
      return holder
    })
}

enum Agency {
  static let renewals = PassthroughSubject<Int, Never>()
}

/// A disposable that wraps another one, and retains its holder until it is disposed.
final class Rental: Disposable, @unchecked Sendable {
  private var holder: RentalHolder?
  private let subscription: any Disposable

  init(_ subscription: any Disposable, for holder: RentalHolder) {
    self.subscription = subscription
    self.holder = holder
  }

  var isDisposed: Bool { holder == nil }

  func dispose() {
    subscription.dispose()
    holder = nil
  }
}

final class RentalHolder {
  private var rental: Rental?
  private var renewals = 0

  func rent() {
    let subscription = Agency.renewals
      .traced("rental.renewals")
      .observeNext { [weak self] in self?.renewals = $0 }  // observed
    rental = Rental(subscription, for: self)
  }

  func giveBack() { rental?.dispose() }
}
