import ReactiveKit

extension LeakCase {
  static let positionReader = cycle(
    "producer", lanes: ["position.fixes"], path: ["closure"],
    also: ["PositionReader.bag", "PositionReader.onFix"], breaks: "closure",
    .now {
      let reader = PositionReader()
      reader.start()
      reader.fix(3)
      return reader
    })
}

/// A reader that wraps a callback in a signal. The producer's disposable retains the reader.
final class PositionReader {
  private var onFix: ((Int) -> Void)?
  private var last = 0
  private let bag = DisposeBag()

  private var fixes: Signal<Int, Never> {
    Signal { observer in
      self.onFix = { observer.receive($0) }
      return BlockDisposable { self.onFix = nil }
    }
  }

  func start() {
    fixes
      .traced("position.fixes")
      .observeNext { [weak self] in self?.last = $0 }  // observed
      .dispose(in: bag)
  }

  func fix(_ position: Int) { onFix?(position) }
}
