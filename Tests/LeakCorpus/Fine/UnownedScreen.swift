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

/// Captures itself unowned: its bag ends the subscription before it is gone.
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
