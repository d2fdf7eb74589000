import ReactiveKit

extension LeakCase {
  static let spellChecker = fine(
    "serial-disposable-disposed", lanes: ["spelling.words"],
    .now {
      let checker = SpellChecker()
      checker.check("leek")
      checker.check("leak")
      SpellService.words.send("fine")
      checker.stop()
      return checker
    })
}

enum SpellService {
  static let words = PassthroughSubject<String, Never>()
}

/// A checker that disposes the current check before it starts the next one.
final class SpellChecker {
  private var words: [String] = []
  private let current = SerialDisposable(otherDisposable: nil)

  func check(_ word: String) {
    current.otherDisposable?.dispose()
    current.otherDisposable = SpellService.words
      .traced("spelling.words")
      .observeNext { self.words.append(word + $0) }  // observed
  }

  func stop() { current.dispose() }
}
