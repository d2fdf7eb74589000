import ReactiveKit

extension LeakCase {
  static let liveScore = cycle(
    "task-guard-self-above-loop", lanes: ["live.goals"], path: ["Task", "LiveScore.bag"],
    also: ["LiveScore.task"], breaks: "Task",
    .later {
      let screen = LiveScore()
      screen.open()
      await wait { screen.goals == 1 }
      return screen
    })
}

enum SportsArena {
  static let goals = Property(1)
  static let weather = PassthroughSubject<String, Never>()
}

/// A score that its task captures weakly, but unwraps before the loop, which never ends.
@MainActor
final class LiveScore {
  private(set) var goals = 0
  private let bag = DisposeBag()
  private var task: Task<Void, Never>?

  func open() {
    SportsArena.weather
      .traced("live.goals")
      .observeNext { [weak self] _ in self?.goals = 0 }  // observed
      .dispose(in: bag)
    task = Task { [weak self] in
      guard let self else { return }
      for await goals in SportsArena.goals.values { self.goals = goals }  // observed
    }
  }
}
