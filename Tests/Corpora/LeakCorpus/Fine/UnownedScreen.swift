import ReactiveKit

extension LeakCase {
  static let unownedScreen = fine(
    "unowned-self", lanes: ["unowned.texts"],
    .now {
      let screen = UnownedScreen()
      screen.open()
      UnownedSource.texts.send("fine")
      return screen
    })
}

enum UnownedSource {
  static let texts = PassthroughSubject<String, Never>()
}

/// A screen that captures itself unowned. Its bag ends the subscription first.
final class UnownedScreen {
  private var shown: [String] = []
  private let bag = DisposeBag()

  func open() {
    UnownedSource.texts
      .traced("unowned.texts")
      .observeNext { [unowned self] in shown.append($0) }  // observed
      .dispose(in: bag)
  }
}
