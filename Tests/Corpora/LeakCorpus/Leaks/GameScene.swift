import ReactiveKit

extension LeakCase {
  static let gameScene = cycle(
    "unowned-bag-strong-self", lanes: ["game.ticks"], path: ["closure", "GameScene.bag"],
    breaks: "closure",
    .now {
      let scene = GameScene()
      scene.begin()
      GameLoop.ticks.send(1)
      return scene
    })
}

enum GameLoop {
  static let ticks = PassthroughSubject<Int, Never>()
}

/// A scene that captures its bag unowned, but itself strongly.
final class GameScene {
  private var energy = 100
  private let bag = DisposeBag()

  func begin() {
    GameLoop.ticks
      .traced("game.ticks")
      .observeNext { [unowned bag] tick in  // observed
        self.energy -= tick
        if self.energy <= 0 { bag.dispose() }
      }
      .dispose(in: bag)
  }
}
