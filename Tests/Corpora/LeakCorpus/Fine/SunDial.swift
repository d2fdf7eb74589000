import Dispatch
import ReactiveKit

extension LeakCase {
  static let sunDial = fine(
    "dispatch-timer-weak", lanes: ["dial.hours"],
    .now {
      let dial = SunDial()
      dial.start()
      return dial
    })
}

enum SunClock {
  static let hours = Property(6)
}

/// A dial that captures itself weakly in the handler of its timer.
final class SunDial {
  private var hour = 0
  private let bag = DisposeBag()
  private var timer: (any DispatchSourceTimer)?

  func start() {
    SunClock.hours
      .traced("dial.hours")
      .observeNext { [weak self] in self?.hour = $0 }  // observed
      .dispose(in: bag)
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.schedule(deadline: .now() + 3600, repeating: 3600)
    timer.setEventHandler { [weak self] in self?.hour += 1 }
    timer.resume()
    self.timer = timer
  }
}
