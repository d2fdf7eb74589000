import Dispatch
import ReactiveKit

extension LeakCase {
  static let podcastDownload = held(
    "dispatch-suspended-queue", lanes: ["podcast.episodes"],
    roots: ["PodcastStore.downloads"],
    path: ["closure at PodcastDownload", "PodcastDownload.bag"],
    holder: ["PodcastDownload.bag"], alive: true,
    .now {
      let download = PodcastDownload()
      download.start()
      return download
    })
}

enum PodcastStore {
  static let episodes = PassthroughSubject<String, Never>()
  /// A queue that waits for a connection that is never established.
  static let downloads = DispatchQueue(label: "podcast.downloads", attributes: .initiallyInactive)
}

/// A download in a queue that is never activated, after two others.
final class PodcastDownload: @unchecked Sendable {
  private var episode = ""
  private let bag = DisposeBag()

  func start() {
    PodcastStore.episodes
      .traced("podcast.episodes")
      .observeNext { [weak self] in self?.episode = $0 }  // observed
      .dispose(in: bag)
    PodcastStore.downloads.async { print("first") }
    PodcastStore.downloads.async { print("second") }
    PodcastStore.downloads.async { self.load() }
    PodcastStore.downloads.async { print("last") }
  }

  private func load() { episode += "!" }
}
