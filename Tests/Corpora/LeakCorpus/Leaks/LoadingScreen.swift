import ReactiveKit

extension LeakCase {
  static let loadingScreen = cycle(
    "enum-payload", lanes: ["loading.steps"], path: ["closure", "LoadingScreen.bag"],
    also: ["Phase.loading"], breaks: "closure",
    .now {
      let screen = LoadingScreen()
      screen.load()
      Loader.steps.send("images")
      return screen
    })
}

enum Loader {
  static let steps = PassthroughSubject<String, Never>()
}

/// The states of the window.
enum Phase {
  case idle
  case loading(LoadingScreen, since: Int)

  func show(_ step: String) {
    if case .loading(let screen, let start) = self { screen.lines.append("\(start): \(step)") }
  }
}

final class LoadingScreen {
  var lines: [String] = []
  private let bag = DisposeBag()

  func load() {
    let phase = Phase.loading(self, since: 1)
    Loader.steps
      .traced("loading.steps")
      .observeNext { phase.show($0) }  // observed
      .dispose(in: bag)
  }
}
