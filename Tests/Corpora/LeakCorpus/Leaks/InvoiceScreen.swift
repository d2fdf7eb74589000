import ReactiveKit

extension LeakCase {
  static let invoiceScreen = cycle(
    "lazy-closure", lanes: ["invoice.amounts"], path: ["InvoiceScreen", "format", "closure"],
    also: ["InvoiceScreen.format", "InvoiceScreen.$__lazy_storage_$_format", "InvoiceScreen.bag"],
    breaks: "closure",
    .now {
      let screen = InvoiceScreen()
      screen.open()
      Billing.amounts.send(99)
      return screen
    })
}

enum Billing {
  static let amounts = PassthroughSubject<Int, Never>()
}

/// A screen with a lazy formatting closure.
final class InvoiceScreen {
  private let currency = "EUR"
  private var lines: [String] = []
  private lazy var format: (Int) -> String = { amount in "\(amount) \(self.currency)" }
  private let bag = DisposeBag()

  func open() {
    Billing.amounts
      .traced("invoice.amounts")
      .observeNext { [weak self] amount in  // observed
        guard let self else { return }
        lines.append(format(amount))
      }
      .dispose(in: bag)
  }
}
