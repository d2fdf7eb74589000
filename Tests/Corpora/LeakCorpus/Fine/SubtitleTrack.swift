import ReactiveKit

extension LeakCase {
  static let subtitleTrack = fine(
    "until-deallocated", lanes: ["subtitle.lines"],
    .now {
      let track = SubtitleTrack()
      track.start()
      Movie.lines.send("fine")
      return track
    })
}

enum Movie {
  static let lines = PassthroughSubject<String, Never>()
}

/// A track that discards the disposable. The signal completes with the track's bag.
final class SubtitleTrack {
  private var line = ""
  private let bag = DisposeBag()

  func start() {
    _ = Movie.lines
      .traced("subtitle.lines")
      .prefix(untilOutputFrom: bag.deallocated)
      .observeNext { [weak self] in self?.line = $0 }  // observed
  }
}
