import Dispatch
import ReactiveKit

extension LeakCase {
  static let roundTimer = fine(
    "dispatch-timer-canceled", lanes: ["round.number"],
    .now {
      let timer = RoundTimer()
      timer.start()
      timer.stop()
      return timer
    })
}

enum BoxingRing {
  static let number = Property(1)
}

/// An object that retains itself through its timer until the round ends.
final class RoundTimer: @unchecked Sendable {
  private var number = 0
  private let bag = DisposeBag()
  private var timer: (any DispatchSourceTimer)?

  func start() {
    BoxingRing.number
      .traced("round.number")
      .observeNext { [weak self] in self?.number = $0 }  // observed
      .dispose(in: bag)
    let timer = DispatchSource.makeTimerSource(queue: .global())
    timer.schedule(deadline: .now() + 3600)
    timer.setEventHandler { self.number += 1 }
    timer.resume()
    self.timer = timer
  }

  /// Returns after the source has released its handler.
  func stop() {
    let isCanceled = DispatchSemaphore(value: 0)
    timer?.setCancelHandler { isCanceled.signal() }
    timer?.cancel()
    isCanceled.wait()
    timer = nil
  }
}
