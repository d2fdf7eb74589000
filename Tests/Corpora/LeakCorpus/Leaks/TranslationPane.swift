import ReactiveKit

extension LeakCase {
  static let translationPane = held(
    "serial-disposable-replaced", lanes: ["translation.text"], roots: ["Translator.texts"],
    alive: false,
    .now {
      let pane = TranslationPane()
      pane.translate("hello")
      pane.translate("world")
      return pane
    })
}

enum Translator {
  static let texts = PassthroughSubject<String, Never>()
}

/// A pane that replaces a disposable without disposing it: replacing doesn't dispose.
final class TranslationPane {
  private var text = ""
  private let translation = SerialDisposable(otherDisposable: nil)

  deinit { translation.dispose() }

  func translate(_ word: String) {
    translation.otherDisposable = Translator.texts
      .traced("translation.text")
      .observeNext { [weak self] in self?.text = word + $0 }  // observed
  }
}
