import ReactiveKit

extension LeakCase {
  static let detailScreen = cycle(
    "struct-with-class", lanes: ["detail.texts"], path: ["closure", "DetailScreen.bag"],
    also: ["DetailPresenter.screen"], breaks: "closure",
    .now {
      let screen = DetailScreen()
      screen.open()
      Articles.texts.send("Leaks")
      return screen
    })
}

enum Articles {
  static let texts = PassthroughSubject<String, Never>()
}

/// A text presenter that retains its screen.
struct DetailPresenter {
  let prefix: String
  let screen: DetailScreen

  func present(_ text: String) { screen.text = prefix + text }
}

final class DetailScreen {
  var text = ""
  private let bag = DisposeBag()

  func open() {
    let presenter = DetailPresenter(prefix: "# ", screen: self)
    Articles.texts
      .traced("detail.texts")
      .observeNext { presenter.present($0) }  // observed
      .dispose(in: bag)
  }
}
