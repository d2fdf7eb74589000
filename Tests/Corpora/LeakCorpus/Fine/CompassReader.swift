import ReactiveKit

extension LeakCase {
  static let compassReader = fine(
    "producer-weak", lanes: ["compass.degrees"],
    .now {
      let reader = CompassReader()
      reader.start()
      reader.turn(to: 90)
      return reader
    })
}

/// A reader that wraps a callback in a signal whose producer and disposable don't retain it.
final class CompassReader {
  private var onTurn: ((Int) -> Void)?
  private var degrees = 0
  private let bag = DisposeBag()

  private var turns: Signal<Int, Never> {
    Signal { [weak self] observer in
      self?.onTurn = { observer.receive($0) }
      return BlockDisposable { [weak self] in self?.onTurn = nil }
    }
  }

  func start() {
    turns
      .traced("compass.degrees")
      .observeNext { [weak self] in self?.degrees = $0 }  // observed
      .dispose(in: bag)
  }

  func turn(to degrees: Int) { onTurn?(degrees) }
}
