import ReactiveKit

extension LeakCase {
  static let mapScreen = cycle(
    "two-subscriptions", lanes: ["map.zoom"], upstream: ["map.positions"],
    path: ["closure", "MapScreen.bag"], breaks: "closure",
    .now {
      let screen = MapScreen()
      screen.open()
      Gestures.zoom.send(3)
      Gestures.positions.send(9)
      return screen
    })
}

enum Gestures {
  static let positions = PassthroughSubject<Int, Never>()
  static let zoom = PassthroughSubject<Int, Never>()
}

/// A screen with two subscriptions in one bag. The strong one keeps the weak one alive.
final class MapScreen {
  private var position = 0
  private var zoom = 1
  private let bag = DisposeBag()

  func open() {
    Gestures.positions
      .traced("map.positions")
      .observeNext { [weak self] in self?.position = $0 }
      .dispose(in: bag)
    Gestures.zoom
      .traced("map.zoom")
      .observeNext { self.zoom = $0 }  // observed
      .dispose(in: bag)
  }
}
