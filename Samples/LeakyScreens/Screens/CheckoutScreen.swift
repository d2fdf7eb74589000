import ReactiveKit
import ReactiveTrace

extension Lesson {
  static let checkout = Lesson(
    name: "CheckoutScreen",
    lane: "checkout.total",
    mistake: "The setter of a binding uses self in place of the target that it is given.",
    cure: "Use the parameter, which is the same object.",
    leaky: {
      let screen = CheckoutScreen()
      screen.open()
      Cart.total.send(30)
    },
    cured: {
      let screen = CuredCheckoutScreen()
      screen.open()
      Cart.total.send(30)
    })
}

private enum Cart {
  static let total = PassthroughSubject<Int, Never>()
}

/// A screen with the price of the cart. A binding to the screen ends with the screen.
private final class CheckoutScreen: DisposeBagProvider {
  let bag = DisposeBag()
  private var total = 0

  func open() {
    Cart.total
      .lane("checkout.total")
      .bind(to: self, context: .immediate) { _, total in self.total = total }  // observed, mistake
  }
}

private final class CuredCheckoutScreen: DisposeBagProvider {
  let bag = DisposeBag()
  private var total = 0

  func open() {
    Cart.total
      .lane("checkout.total")
      .bind(to: self, context: .immediate) { screen, total in screen.total = total }
  }
}
