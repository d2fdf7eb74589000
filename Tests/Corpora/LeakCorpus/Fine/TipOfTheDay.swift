import ReactiveKit

extension LeakCase {
  static let tipOfTheDay = fine(
    "first-elements", lanes: ["tips.texts"],
    .now {
      let tips = TipOfTheDay()
      tips.show()
      TipSource.texts.send("one")
      TipSource.texts.send("two")
      TipSource.texts.send("three")
      return tips
    })
}

enum TipSource {
  static let texts = PassthroughSubject<String, Never>()
}

/// An object that captures itself strongly until its subscription ends after two elements.
final class TipOfTheDay {
  private var texts: [String] = []

  func show() {
    _ = TipSource.texts
      .traced("tips.texts")
      .prefix(maxLength: 2)
      .observeNext { self.texts.append($0) }  // observed
  }
}
