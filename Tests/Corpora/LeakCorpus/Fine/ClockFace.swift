import ReactiveKit

extension LeakCase {
  static let clockFace = fine(
    "interval-disposed", lanes: ["clock.seconds"],
    .now {
      let clock = ClockFace()
      clock.start()
      return clock
    })
}

/// A clock that ticks once a second as long as it exists.
final class ClockFace {
  private var seconds = 0
  private let bag = DisposeBag()

  func start() {
    Signal<Int, Never>(sequence: 0..., interval: 1)
      .traced("clock.seconds")
      .observeNext { [weak self] _ in self?.seconds += 1 }  // observed
      .dispose(in: bag)
  }
}
