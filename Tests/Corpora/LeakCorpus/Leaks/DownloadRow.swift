import ReactiveKit

extension LeakCase {
  static let downloadRow = cycle(
    "handle-events", lanes: ["download.bytes"], path: ["closure", "DownloadRow.bag"],
    breaks: "closure",
    .now {
      let row = DownloadRow()
      Downloads.bytes.send(1024)
      return row
    })
}

enum Downloads {
  static let bytes = PassthroughSubject<Int, Never>()
}

/// A row that counts bytes in a side effect.
final class DownloadRow {
  private var received = 0
  private var hasFinished = false
  private let label = Property("")
  private let bag = DisposeBag()

  init() {
    Downloads.bytes
      .traced("download.bytes")
      .handleEvents(
        receiveOutput: { self.received += $0 },
        receiveCompletion: { _ in self.hasFinished = true }
      )
      .observeNext { [label] in label.value = "\($0) bytes" }  // observed
      .dispose(in: bag)
  }
}
