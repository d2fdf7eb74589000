import ReactiveKit

extension LeakCase {
  static let radioStation = held(
    "path-unowned-unsafe", lanes: ["radio.songs"], roots: ["RadioStation.current"],
    also: ["RadioStation.bag", "RadioStation.songs"], alive: true,
    .now {
      let station = RadioStation()
      RadioStation.current = station
      station.start()
      station.songs.send("Intro")
      return station
    })
}

/// A station that looks like a cycle, but only the static variable retains it.
@MainActor
final class RadioStation {
  static var current: RadioStation?

  let songs = PassthroughSubject<String, Never>()
  private var played = 0
  private let bag = DisposeBag()

  func start() {
    songs
      .traced("radio.songs")
      .observeNext { [unowned(unsafe) self] _ in played += 1 }  // observed
      .dispose(in: bag)
  }
}
