import ReactiveKit

extension LeakCase {
  static let readReceipt = fine(
    "async-stream-read", lanes: ["receipt.states"],
    .later {
      let stream = AsyncStream<ReadReceipt>.makeStream()
      let receipt = ReadReceipt()
      receipt.open()
      stream.continuation.yield(receipt)
      stream.continuation.finish()
      for await receipt in stream.stream { receipt.close() }
      return receipt
    })
}

enum ReceiptServer {
  static let states = PassthroughSubject<Int, Never>()
}

/// A receipt that enters the buffer of a stream, and is read from it.
final class ReadReceipt: @unchecked Sendable {
  private var state = 0
  private let bag = DisposeBag()

  func open() {
    ReceiptServer.states
      .traced("receipt.states")
      .observeNext { [weak self] in self?.state = $0 }  // observed
      .dispose(in: bag)
  }

  func close() { state = -1 }
}
