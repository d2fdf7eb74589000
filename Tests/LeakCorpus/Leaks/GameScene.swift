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

/// Is careful with the bag, which it captures unowned, but not with itself.
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
