import Dispatch
import ReactiveKit

extension LeakCase {
  static let paymentSheet = cycle(
    "dispatch-work-item-notify", lanes: ["payment.status"],
    path: ["closure at PaymentSheet", "PaymentSheet.charge", "PaymentSheet.bag"],
    breaks: "closure",
    .now {
      let sheet = PaymentSheet()
      sheet.open()
      return sheet
    })
}

enum PaymentServer {
  static let status = PassthroughSubject<String, Never>()
}

/// A sheet that its work item captures weakly, but the item's notification captures strongly.
final class PaymentSheet: @unchecked Sendable {
  private var status = ""
  private let bag = DisposeBag()
  private var charge: DispatchWorkItem?

  func open() {
    PaymentServer.status
      .traced("payment.status")
      .observeNext { [weak self] in self?.status = $0 }  // observed
      .dispose(in: bag)
    let item = DispatchWorkItem { [weak self] in self?.status = "charged" }
    item.notify(queue: .main) { self.close() }
    charge = item
  }

  private func close() { status = "" }
}
