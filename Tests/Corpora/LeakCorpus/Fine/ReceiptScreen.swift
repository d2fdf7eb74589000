import ReactiveKit

extension LeakCase {
  static let receiptScreen = fine(
    "lazy-closure-unowned", lanes: ["receipt.amounts"],
    .now {
      let screen = ReceiptScreen()
      screen.open()
      Cashier.amounts.send(99)
      return screen
    })
}

enum Cashier {
  static let amounts = PassthroughSubject<Int, Never>()
}

/// A screen with a lazy formatting closure that doesn't retain it.
final class ReceiptScreen {
  private let currency = "EUR"
  private var lines: [String] = []
  private lazy var format: (Int) -> String = { [unowned self] in "\($0) \(currency)" }
  private let bag = DisposeBag()

  func open() {
    Cashier.amounts
      .traced("receipt.amounts")
      .observeNext { [weak self] amount in  // observed
        guard let self else { return }
        lines.append(format(amount))
      }
      .dispose(in: bag)
  }
}
