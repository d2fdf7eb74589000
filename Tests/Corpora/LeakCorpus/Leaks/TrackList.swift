import ReactiveKit

extension LeakCase {
  static let trackList = held(
    "screen-in-static", lanes: ["tracks.names"], roots: ["MusicApp.current"],
    also: ["TrackList.subscriptions", "TrackList.names"], alive: true,
    .now {
      let list = TrackList()
      MusicApp.current = list
      list.names.send("Intro")
      return list
    })
}

enum MusicApp {
  @MainActor static var current: TrackList?
}

/// A list that captures itself weakly, but the app still references it after it was closed.
final class TrackList {
  let names = PassthroughSubject<String, Never>()
  private var shown: [String] = []
  private var subscriptions: Set<AnyCancellable> = []

  init() {
    names
      .traced("tracks.names")
      .sink { [weak self] in self?.shown.append($0) }  // observed
      .store(in: &subscriptions)
  }
}
