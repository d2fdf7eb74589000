import ReactiveKit

extension LeakCase {
  static let autocomplete = cycle(
    "serial-disposable", lanes: ["autocomplete.words"],
    path: ["closure", "Autocomplete.request"], breaks: "closure",
    .now {
      let autocomplete = Autocomplete()
      autocomplete.search()
      Dictionaries.words.send("leak")
      return autocomplete
    })
}

enum Dictionaries {
  static let words = PassthroughSubject<String, Never>()
}

/// An object that stores the newest request in a serial disposable.
final class Autocomplete {
  private var words: [String] = []
  private let request = SerialDisposable(otherDisposable: nil)

  func search() {
    request.otherDisposable = Dictionaries.words
      .traced("autocomplete.words")
      .observeNext { self.words.append($0) }  // observed
  }
}
