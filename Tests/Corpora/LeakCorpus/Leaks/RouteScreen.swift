import ReactiveKit

extension LeakCase {
  static let routeScreen = cycle(
    "flat-map-latest-inner", lanes: ["route.minutes"], path: ["closure", "RouteScreen.bag"],
    breaks: "closure",
    .now {
      let screen = RouteScreen()
      screen.open()
      Navigation.destination.send("harbor")
      Navigation.traffic.send(12)
      return screen
    })
}

enum Navigation {
  static let destination = PassthroughSubject<String, Never>()
  static let traffic = PassthroughSubject<Int, Never>()
}

/// A screen that shows how long a route takes. The outer closure is weak, but it makes a strong
/// reference, which the inner signal captures until the next destination.
final class RouteScreen {
  private var speed = 2
  private var minutes = 0
  private let bag = DisposeBag()

  func open() {
    Navigation.destination
      .flatMapLatest { [weak self] _ -> Signal<Int, Never> in
        guard let self else { return .never() }
        return Navigation.traffic.map { $0 * self.speed }
      }
      .traced("route.minutes")
      .observeNext { [weak self] in self?.minutes = $0 }  // observed
      .dispose(in: bag)
  }
}
