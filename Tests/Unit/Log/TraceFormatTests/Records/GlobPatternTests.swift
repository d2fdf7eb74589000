import Testing

@testable import TraceFormat

@Suite("GlobPattern")
struct GlobPatternTests {
  @Test(
    "A glob pattern matches only whole strings and is case-sensitive",
    arguments: [
      ("", "", true), ("", "a", false), ("a", "", false), ("*", "", true), ("**", "abc", true),
      ("search.*", "search.query", true), ("search.*", "Search.query", false),
      ("search", "search.query", false), ("*.tick", "a.b.tick", true), ("*.tick", "tick", false),
      ("a*b*c", "aXbYbZc", true), ("a*b*c", "aXbYbZ", false), ("?", "", false), ("?", "é", true),
      ("??", "漢字", true), ("?", "漢字", false), ("*?", "é", true), ("*??", "é", false),
      ("?*?", "日", false), ("*é", "aéé", true), ("a,b", "a,b", true), ("-a", "-a", true),
      ("a?", "a*", true), ("[a]", "a", false), ("a\0", "a", false), ("*\u{301}", "e\u{301}", true),
    ])
  func matches(pattern: String, text: String, fits: Bool) {
    #expect(GlobPattern(pattern).matches(text) == fits)
  }

  @Test("A pattern with many stars fails quickly")
  func manyStars() {
    let pattern = GlobPattern(String(repeating: "*a", count: 200) + "*b")
    #expect(!pattern.matches(String(repeating: "a", count: 5000)))
    #expect(pattern.matches(String(repeating: "a", count: 5000) + "b"))
  }

  @Test("Glob patterns are equal only if their bytes are equal")
  func equality() {
    #expect(GlobPattern("a*") == GlobPattern("a*"))
    #expect(GlobPattern("\u{E9}") != GlobPattern("e\u{301}"))
    #expect(GlobPattern("a*").description == "a*")
  }
}
