import ReactiveKit

extension LeakCase {
  static let uncheckedScreen = fine(
    "unowned-unsafe-self", lanes: ["unchecked.texts"],
    .now {
      let screen = UncheckedScreen()
      screen.open()
      UncheckedSource.texts.send("fine")
      return screen
    })
}

enum UncheckedSource {
  static let texts = PassthroughSubject<String, Never>()
}

/// A screen that captures itself without reference counting and without checks.
final class UncheckedScreen {
  private var shown: [String] = []
  private let bag = DisposeBag()

  func open() {
    UncheckedSource.texts
      .traced("unchecked.texts")
      .observeNext { [unowned(unsafe) self] in shown.append($0) }  // observed
      .dispose(in: bag)
  }
}
