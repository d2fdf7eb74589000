import ReactiveKit

extension LeakCase {
  static let searchScreen = cycle(
    "observe-next", lanes: ["search.results"], path: ["closure", "SearchScreen.bag"],
    breaks: "closure",
    .now {
      let screen = SearchScreen()
      screen.open()
      Keyboard.text.send("leak")
      return screen
    })
}

enum Keyboard {
  static let text = PassthroughSubject<String, Never>()
}

/// A screen that shows the typed text. Its closure and its bag retain each other.
final class SearchScreen {
  private var shown: [String] = []
  private let bag = DisposeBag()

  func open() {
    Keyboard.text
      .traced("search.results")
      .observeNext { self.show($0) }  // observed
      .dispose(in: bag)
  }

  private func show(_ text: String) { shown.append(text) }
}
