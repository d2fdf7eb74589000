import ReactiveKit

extension LeakCase {
  static let playbackController = cycle(
    "delegate", lanes: ["playback.volume"],
    path: ["PlaybackController.player", "Player.delegate"], also: ["PlaybackController.bag"],
    breaks: "Player.delegate",
    .now {
      let controller = PlaybackController()
      controller.start()
      VolumeKnob.volume.send(7)
      return controller
    })
}

enum VolumeKnob {
  static let volume = PassthroughSubject<Int, Never>()
}

protocol PlayerDelegate: AnyObject {
  func playerDidFinish()
}

final class Player {
  var delegate: (any PlayerDelegate)?
  var volume = 0
}

/// A controller that observes weakly, but is the strong delegate of its own player.
final class PlaybackController: PlayerDelegate {
  private let player = Player()
  private var finished = 0
  private let bag = DisposeBag()

  func start() {
    player.delegate = self
    VolumeKnob.volume
      .traced("playback.volume")
      .observeNext { [weak self] in self?.player.volume = $0 }  // observed
      .dispose(in: bag)
  }

  func playerDidFinish() { finished += 1 }
}
