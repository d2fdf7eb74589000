import Testing

@testable import InteractiveView
@testable import TerminalUI

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

@Suite("Prompt")
struct PromptTests {
  private func prompt(_ text: String, _ keys: String) -> Prompt {
    var prompt = Prompt(.filter, text: text)
    for press in KeyScript.presses(keys) { _ = prompt.edit(press) }
    return prompt
  }

  @Test(
    "A prompt is edited with the keys of a shell",
    arguments: [
      ("abc", "d", "abcd"), ("abc", "<BS>", "ab"), ("abc", "<Left>X", "abXc"),
      ("abc", "<Left><Left><BS>", "bc"), ("abc", "<Home>X", "Xabc"), ("abc", "<C-a><Del>", "bc"),
      ("abc", "<C-a><C-d>", "bc"), ("abc", "<Del>", "abc"), ("abc", "<Home><BS>", "abc"),
      ("abc", "<C-b><C-b><C-k>", "a"), ("abc", "<Left><C-u>", "c"), ("a bc  ", "<C-w>", "a "),
      ("one two", "<C-w><C-w>", ""), ("abc", "<Home><Right><Right><Right><Right>X", "abcX"),
      ("abc", "<C-a><C-f>X<C-e>Y", "aXbcY"), ("", "<C-w><C-u><C-k><BS><Del><Left><Right>", ""),
      ("日本", "<BS>", "日"), ("👩‍👩‍👧‍👦x", "<Left><BS>", "x"),
    ])
  func editing(text: String, keys: String, expected: String) {
    #expect(prompt(text, keys).text == expected)
  }

  @Test("The cursor stays after the typed text, even if characters combine")
  func joining() {
    var prompt = prompt("eb", "<Left>")
    prompt.insert("\u{301}")
    #expect(prompt.text == "e\u{301}b")
    #expect(prompt.cursor == 1)
  }

  @Test("A prompt ignores control characters and limits its length")
  func pasting() {
    var prompt = Prompt(.search)
    prompt.insert("a\tb\r\nc\u{7}\u{1B}[\u{7F}d")
    #expect(prompt.text == "a b c[d")
    prompt.insert(String(repeating: "x", count: 5_000))
    #expect(prompt.text.count == 1_000)
    #expect(prompt.cursor == 1_000)
    prompt.insert("more")
    #expect(prompt.text.count == 1_000)
  }

  @Test("Editing clears the error of a prompt, and unrelated keys are rejected")
  func problem() {
    var prompt = Prompt(.filter, text: "x")
    prompt.problem = "wrong"
    #expect(prompt.edit(KeyPress(.up)) == false)
    #expect(prompt.edit(KeyPress("x", .alt)) == false)
    #expect(prompt.edit(KeyPress(.function(1))) == false)
    #expect(prompt.problem == "wrong")
    #expect(prompt.edit(KeyPress("y")) == true)
    #expect(prompt.problem == nil)
  }
}
