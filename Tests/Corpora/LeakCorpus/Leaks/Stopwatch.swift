import ReactiveKit

extension LeakCase {
  static let stopwatch = cycle(
    "interval", lanes: ["stopwatch.seconds"], path: ["closure", "Stopwatch.bag"],
    breaks: "closure",
    .now {
      let stopwatch = Stopwatch()
      stopwatch.start()
      return stopwatch
    })
}

/// A stopwatch that counts seconds until its bag is disposed, which never happens.
final class Stopwatch {
  private var seconds = 0
  private let bag = DisposeBag()

  func start() {
    Signal<Int, Never>(sequence: 0..., interval: 1)
      .traced("stopwatch.seconds")
      .observeNext { _ in self.seconds += 1 }  // observed
      .dispose(in: bag)
  }
}
