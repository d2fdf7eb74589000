import ReactiveKit

extension LeakCase {
  static let suggestions = cycle(
    "flat-map-latest", lanes: ["suggestions.words"], path: ["closure", "Suggestions.bag"],
    breaks: "closure",
    .now {
      let suggestions = Suggestions()
      suggestions.follow(SearchField.text)
      SearchField.text.send("swi")
      return suggestions
    })
}

enum SearchField {
  static let text = PassthroughSubject<String, Never>()
}

/// Suggestions for typed text. Each change starts another search of this object's words.
final class Suggestions {
  private let words = ["swift", "swim", "sun"]
  private var shown: [String] = []
  private let bag = DisposeBag()

  func follow(_ text: PassthroughSubject<String, Never>) {
    text
      .flatMapLatest { self.search($0) }
      .traced("suggestions.words")
      .observeNext { [weak self] in self?.shown = $0 }  // observed
      .dispose(in: bag)
  }

  private func search(_ text: String) -> Signal<[String], Never> {
    Signal(just: words.filter { $0.hasPrefix(text) })
  }
}
