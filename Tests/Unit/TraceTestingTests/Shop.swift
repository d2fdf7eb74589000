import ReactiveKit
import ReactiveTrace

// A small app whose parts leave leaks behind on request.

/// A cart that observes prices.
final class Cart {
  private let bag = DisposeBag()
  private var total = 0

  func openStrongly(_ prices: PassthroughSubject<Int, Never>) {
    prices.lane("cart.prices").observeNext { self.total += $0 }.dispose(in: bag)
  }

  func openWeakly(_ prices: PassthroughSubject<Int, Never>) {
    prices.lane("cart.prices").observeNext { [weak self] in self?.total += $0 }.dispose(in: bag)
  }
}
