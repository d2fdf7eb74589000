import ReactiveKit

extension LeakCase {
  static let checkoutScreen = cycle(
    "existential-field", lanes: ["checkout.totals"],
    path: ["CheckoutScreen.output", "CheckoutCoordinator.screen"], also: ["CheckoutScreen.bag"],
    .now {
      let coordinator = CheckoutCoordinator()
      coordinator.start()
      Checkout.totals.send(30)
      return coordinator
    })
}

enum Checkout {
  static let totals = PassthroughSubject<Int, Never>()
}

/// The handler of a screen's requests. It may be a value type, so the field can't be weak.
protocol CheckoutOutput {
  func pay(_ amount: Int)
}

final class CheckoutScreen {
  private let output: any CheckoutOutput
  private var total = 0
  private let bag = DisposeBag()

  init(output: any CheckoutOutput) {
    self.output = output
    Checkout.totals
      .traced("checkout.totals")
      .observeNext { [weak self] in self?.total = $0 }  // observed
      .dispose(in: bag)
  }

  func confirm() { output.pay(total) }
}

final class CheckoutCoordinator: CheckoutOutput {
  private var screen: CheckoutScreen?
  private var paid = 0

  func start() { screen = CheckoutScreen(output: self) }

  func pay(_ amount: Int) { paid += amount }
}
