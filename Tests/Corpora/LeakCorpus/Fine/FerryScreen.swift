import ReactiveKit

extension LeakCase {
  static let ferryScreen = fine(
    "flat-map-latest-weak", lanes: ["ferry.minutes"],
    .now {
      let screen = FerryScreen()
      screen.open()
      Harbor.destinations.send("island")
      Harbor.waves.send(2)
      return screen
    })
}

enum Harbor {
  static let destinations = PassthroughSubject<String, Never>()
  static let waves = PassthroughSubject<Int, Never>()
}

/// A screen that also captures itself weakly in the inner signal.
final class FerryScreen {
  private var delay = 2
  private var minutes = 0
  private let bag = DisposeBag()

  func open() {
    Harbor.destinations
      .flatMapLatest { [weak self] _ in
        Harbor.waves.map { [weak self] in $0 * (self?.delay ?? 1) }
      }
      .traced("ferry.minutes")
      .observeNext { [weak self] in self?.minutes = $0 }  // observed
      .dispose(in: bag)
  }
}
