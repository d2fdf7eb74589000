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

/// Counts seconds until the bag is disposed, which nobody does.
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
