import Dispatch
import ReactiveKit

extension LeakCase {
  static let printerStatus = held(
    "dispatch-main-async", lanes: ["printer.pages"], roots: ["main queue"],
    path: ["closure at PrinterStatus", "PrinterStatus.bag"], holder: ["PrinterStatus.bag"],
    alive: true,
    .now {
      let status = PrinterStatus()
      status.show()
      return status
    })
}

enum PrintServer {
  static let pages = PassthroughSubject<Int, Never>()
}

/// A status that waits for the main queue, which a program without a run loop never runs.
final class PrinterStatus: @unchecked Sendable {
  private var pages = 0
  private let bag = DisposeBag()

  func show() {
    PrintServer.pages
      .traced("printer.pages")
      .observeNext { [weak self] in self?.pages = $0 }  // observed
      .dispose(in: bag)
    DispatchQueue.main.async { self.pages += 1 }
  }
}
