import ReactiveKit

extension LeakCase {
  static let playerScreen = cycle(
    "observe", lanes: ["player.events"], path: ["closure", "PlayerScreen.bag"], breaks: "closure",
    .now {
      let screen = PlayerScreen()
      AudioOutput.position.send(1)
      return screen
    })
}

enum AudioOutput {
  static let position = PassthroughSubject<Int, Never>()
}

/// A screen that follows the player. It observes all events, including the end.
final class PlayerScreen {
  private var position = 0
  private var hasEnded = false
  private let bag = DisposeBag()

  init() {
    AudioOutput.position
      .traced("player.events")
      .observe { event in  // observed
        switch event {
        case .next(let position): self.position = position
        case .completed: self.hasEnded = true
        }
      }
      .dispose(in: bag)
  }
}
