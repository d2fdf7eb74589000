import Testing

@testable import TraceAnalysis

@Suite("SearchText")
struct SearchTextTests {
  @Test(
    "A lowercase letter also matches an uppercase one, but an uppercase letter matches only itself",
    arguments: [
      ("swift", "Swift", true), ("Swift", "swift", false), ("Swift", "A Swift one", true),
      ("aab", "aaab", true), ("", "anything", true), ("", "", true), ("long", "lon", false),
      ("é", "É", true), ("É", "é", false), ("straße", "STRASSE", false), ("日本", "x日本語", true),
      ("[", "{", false), ("@", "`", false), ("k", "K", true), ("12", "0123", true),
    ])
  func finds(text: String, content: String, isFound: Bool) {
    #expect(SearchText(text).isIn(content) == isFound)
  }
}
