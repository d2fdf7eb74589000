import ReactiveKit

extension LeakCase {
  static let filmSet = held(
    "replay-several-ended", lanes: ["film.monitor"], upstream: ["film.takes"],
    roots: ["FilmCamera.takes"], holder: ["discarded"], alive: false,
    .now {
      let set = FilmSet()
      for name in ["director", "script", "sound"] { set.addMonitor(name) }
      FilmCamera.takes.send(1)
      set.forgetMonitor()
      FilmCamera.takes.send(2)
      set.wrap()
      FilmCamera.takes.send(3)
      return set
    })
}

enum FilmCamera {
  static let takes = PassthroughSubject<Int, Never>()
}

/// A set with four observers of one replayed signal. Three leave in order, and the disposable of
/// the fourth is discarded.
final class FilmSet {
  private var shown: [String: Int] = [:]
  private let takes = FilmCamera.takes.traced("film.takes").replay(limit: 1).refCount()
  private let bag = DisposeBag()

  func addMonitor(_ name: String) {
    takes
      .traced("film.crew")
      .observeNext { [weak self] in self?.shown[name] = $0 }
      .dispose(in: bag)
  }

  func forgetMonitor() {
    _ =
      takes
      .traced("film.monitor")
      .observeNext { [weak self] in self?.shown["producer"] = $0 }  // observed
  }

  func wrap() { bag.dispose() }
}
