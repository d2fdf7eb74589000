import ReactiveKit
import ReactiveTrace

extension LeakCase {
  static let menuBarClock = fine(
    "process-lifetime-inherited", lanes: ["menu.ticks", "menu.time"], alive: true,
    .now {
      let clock = MenuBarClock()
      clock.start()
      Quartz.ticks.send(1)
      return clock
    })
}

enum Quartz {
  static let ticks = PassthroughSubject<Int, Never>()
}

/// A clock that shows the time until the process exits. The upstream lanes live just as long.
final class MenuBarClock {
  private var time = 0

  func start() {
    _ = Quartz.ticks
      .traced("menu.ticks")
      .scan(0, +)
      .traced("menu.time", lifetime: .process)
      .observeNext { self.time = $0 }  // observed
  }
}
