import ReactiveKit
import ReactiveTrace

extension Lesson {
  static let route = Lesson(
    name: "RouteScreen",
    lane: "route.minutes",
    mistake: "The outer closure is weak, but the inner signal captures the self that it unwrapped.",
    cure: "Capture in the inner closure only what it needs.",
    leaky: {
      let screen = RouteScreen()
      screen.open()
      Navigation.destination.send("harbor")
      Navigation.traffic.send(12)
    },
    cured: {
      let screen = CuredRouteScreen()
      screen.open()
      Navigation.destination.send("harbor")
      Navigation.traffic.send(12)
    })
}

private enum Navigation {
  static let destination = PassthroughSubject<String, Never>()
  static let traffic = PassthroughSubject<Int, Never>()
}

/// A screen with the travel time to the newest destination.
private final class RouteScreen {
  private let speed = 2
  private var minutes = 0
  private let bag = DisposeBag()

  func open() {
    Navigation.destination
      .flatMapLatest { [weak self] _ -> SafeSignal<Int> in
        guard let self else { return .never() }
        return Navigation.traffic.map { delay in delay * self.speed }  // mistake
      }
      .lane("route.minutes")
      .observeNext { [weak self] in self?.minutes = $0 }  // observed
      .dispose(in: bag)
  }
}

private final class CuredRouteScreen {
  private let speed = 2
  private var minutes = 0
  private let bag = DisposeBag()

  func open() {
    Navigation.destination
      .flatMapLatest { [speed] _ in
        Navigation.traffic.map { delay in delay * speed }
      }
      .lane("route.minutes")
      .observeNext { [weak self] in self?.minutes = $0 }
      .dispose(in: bag)
  }
}
