import Foundation
import ReactiveKit

extension LeakCase {
  static let receiptScan = cycle(
    "block-operation", lanes: ["scan.pages"],
    path: ["closure at ReceiptScan", "ReceiptScan.recognition", "ReceiptScan.bag"],
    breaks: "closure",
    .now {
      let scan = ReceiptScan()
      scan.prepare()
      return scan
    })
}

enum Scanner {
  static let pages = PassthroughSubject<String, Never>()
}

/// A scan with an operation that is never started.
final class ReceiptScan: @unchecked Sendable {
  private var pages: [String] = []
  private let bag = DisposeBag()
  private var recognition: BlockOperation?

  func prepare() {
    Scanner.pages
      .traced("scan.pages")
      .observeNext { [weak self] in self?.pages.append($0) }  // observed
      .dispose(in: bag)
    recognition = BlockOperation { self.recognize() }
  }

  private func recognize() { pages = [] }
}
