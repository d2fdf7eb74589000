import ReactiveKit
import ReactiveTrace

extension Lesson {
  static let article = Lesson(
    name: "ArticleScreen",
    lane: "article.text",
    mistake: "A method is passed to map, and a method of an object holds the object.",
    cure: "Pass a static method, or a closure that captures self weakly.",
    leaky: {
      let screen = ArticleScreen()
      screen.open()
      Newspaper.article.send("Leaks")
    },
    cured: {
      let screen = CuredArticleScreen()
      screen.open()
      Newspaper.article.send("Leaks")
    })
}

private enum Newspaper {
  static let article = PassthroughSubject<String, Never>()
}

/// A screen with an article. The property retains the binding, and the screen retains the property.
private final class ArticleScreen {
  private let text = Property("")

  func open() {
    Newspaper.article
      .lane("article.text")
      .map(render)  // mistake
      .bind(to: text)  // observed
  }

  private func render(_ article: String) -> String { "<h1>\(article)</h1>" }
}

private final class CuredArticleScreen {
  private let text = Property("")

  func open() {
    Newspaper.article
      .lane("article.text")
      .map(Self.render)
      .bind(to: text)
  }

  private static func render(_ article: String) -> String { "<h1>\(article)</h1>" }
}
