import Testing

@testable import InteractiveView

@Suite("FuzzyQuery")
struct FuzzyQueryTests {
  private func rank(_ query: String, _ text: String) -> FuzzyQuery.Rank? {
    FuzzyQuery(query).rank(of: Array(text.lowercased().utf8))
  }

  @Test(
    "A query matches a text, its beginning, beginnings of words, parts or letters",
    arguments: [
      ("zoom out", "zoom out", .whole), ("ZOOM", "zoom out", .beginning),
      ("out zoom", "zoom out", .wordBeginnings), ("out", "zoom-out", .wordBeginnings),
      ("oom", "zoom out", .parts), ("zo ut", "zoom out", .parts), ("zot", "zoom out", .letters),
      ("ot", "zoom out", .letters), ("m", "zoom", .parts), ("x", "zoom", nil),
      ("mt", "zoom out", nil), ("zoom outer", "zoom out", nil), ("é", "Étude", .beginning),
    ] as [(String, String, FuzzyQuery.Rank?)])
  func ranks(query: String, text: String, expected: FuzzyQuery.Rank?) {
    #expect(rank(query, text) == expected)
  }

  @Test("Text that is shorter than the query, and empty text, don't match")
  func short() {
    #expect(rank("abc", "ab") == nil)
    #expect(rank("abc", "") == nil)
    #expect(rank("", "") == .whole)
    let query = FuzzyQuery("zo")
    #expect(query.rank(of: Array("zoom".utf8), beginningOnly: true) == .beginning)
    #expect(query.rank(of: Array("a zoom".utf8), beginningOnly: true) == nil)
  }
}
