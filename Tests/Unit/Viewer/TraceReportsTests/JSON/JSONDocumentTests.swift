import Testing

@testable import TraceReports

@Suite("JSONDocument")
struct JSONDocumentTests {
  private func error(_ bytes: [UInt8]) -> JSONError? {
    do throws(JSONError) {
      _ = try JSONDocument(bytes)
      return nil
    } catch {
      return error
    }
  }

  private func content(_ text: String) throws -> JSONValue.Content {
    try JSONDocument(text).root.content
  }

  @Test("Every JSON value and key has its line and column")
  func locations() throws {
    let document = try JSONDocument("\u{FEFF}{\r\n  \"é漢\": [1,\r \"x\\n\", null],\n\t\"b\": {}}\n")
    guard case .object(let members) = document.root.content, members.count == 2,
      case .array(let elements) = members[0].value.content
    else {
      Issue.record("not what was written")
      return
    }
    #expect(document.root.location == TextLocation(line: 1, column: 1))
    #expect(members.map(\.key) == ["é漢", "b"])
    #expect(members[0].keyLocation == TextLocation(line: 2, column: 3))
    #expect(members[0].value.location == TextLocation(line: 2, column: 9))
    #expect(
      elements.map(\.location) == [
        TextLocation(line: 2, column: 10), TextLocation(line: 3, column: 2),
        TextLocation(line: 3, column: 9),
      ])
    #expect(members[1].keyLocation == TextLocation(line: 4, column: 2))
    #expect(members[1].value.location == TextLocation(line: 4, column: 7))
  }

  @Test(
    "JSON numbers are parsed",
    arguments: [
      ("0", .integer(0)), ("-0", .integer(0)), ("-12", .integer(-12)), ("3.0", .double(3)),
      ("1e2", .double(100)), ("1E-2", .double(0.01)), ("-0.5e+1", .double(-5)),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .double(9_223_372_036_854_775_808)),
    ] as [(String, JSONValue.Content)])
  func numbers(text: String, expected: JSONValue.Content) throws {
    #expect(try content(text) == expected)
    #expect(try content(" [ \(text)]\n") != expected)
  }

  @Test(
    "Invalid JSON numbers are rejected",
    arguments: [
      "01", "-", "+1", ".5", "1.", "1.e2", "1e", "1e+", "0x10", "1_000", "NaN", "Infinity",
      "-Infinity", "1e400", "-01", "--1", "1.2.3", "1a",
    ])
  func noNumbers(text: String) {
    #expect(error(Array(text.utf8))?.line == 1)
    #expect(error(Array("{\"a\": \(text)}".utf8)) != nil)
  }

  @Test(
    "JSON strings are parsed",
    arguments: [
      (#""""#, ""), (#""a\"\\\/\b\f\n\r\tz""#, "a\"\\/\u{8}\u{C}\n\r\tz"),
      (#""\u00e9\u00E9""#, "éé"),
      (#""\ud83d\ude42""#, "🙂"), (#""\u0000""#, "\0"), ("\"é漢🙂\u{7F}\"", "é漢🙂\u{7F}"),
    ])
  func strings(text: String, expected: String) throws {
    #expect(try content(text) == .string(expected))
  }

  @Test("JSON literals and empty containers are parsed")
  func words() throws {
    #expect(
      try JSONDocument("[true,false,null,[],{}]").node.elements().map(\.value.content)
        == [.bool(true), .bool(false), .null, .array([]), .object([])])
  }

  @Test(
    "A JSON error has the line and column and suggests what to do",
    arguments: [
      ("{\n\n\n  \"a\": 1 \"b\": 2}", 4, 10, "Expected ',' or '}' after a value, not '\"'."),
      ("[1 2]", 1, 4, "Expected ',' or ']' after a value, not another character."),
      ("[1,]", 1, 4, "A comma must not follow the last value. Remove the one before ']'."),
      ("{\"a\":1,}", 1, 8, "A comma must not follow the last value. Remove the one before '}'."),
      ("", 1, 1, "The text is empty. It must contain a value, such as {}."),
      (" \n ", 2, 2, "The text is empty. It must contain a value, such as {}."),
      ("{} x", 1, 4, "Expected nothing more after the value, not another character."),
      ("{a: 1}", 1, 2, "Expected a key in double quotes or '}', not another character."),
      ("{\"a\" 1}", 1, 6, "Expected ':' after a key, not another character."),
      ("{\"a\":}", 1, 6, "Expected a value, not '}'."),
      ("[", 1, 2, "Expected a value, not the end of the text."),
      ("{\"a\":1", 1, 7, "Expected ',' or '}' after a value, not the end of the text."),
      ("['a']", 1, 2, "Strings need double quotes (\"), not single quotes."),
      ("[True]", 1, 2, "This is not a value. In JSON, it is written 'true'."),
      ("[wärning]", 1, 2, "This is not a value. Strings need double quotes."),
      ("[1, // one\n2]", 1, 5, "JSON does not allow comments. Remove this one."),
      ("/* x */ {}", 1, 1, "JSON does not allow comments. Remove this one."),
      ("{} # x", 1, 4, "JSON does not allow comments. Remove this one."),
      ("[\n\"ab\n\"]", 2, 1, "The string that begins here has no closing quote."),
      ("\"ab", 1, 1, "The string that begins here has no closing quote."),
      ("\"a\tb\"", 1, 3, "A string must not contain a control character. Write \\t instead."),
      (
        "\"a\u{1B}b\"", 1, 3,
        "A string must not contain a control character. Write \\u001b instead."
      ),
      ("\"a\0b\"", 1, 3, "A string must not contain a control character. Write \\u0000 instead."),
      (
        "\"\\x\"", 1, 2,
        "This is not a valid escape. Write \\\\ for a backslash."
      ),
      ("\"\\u12g4\"", 1, 2, "\\u must be followed by four hexadecimal digits."),
      ("\"\\ud800\"", 1, 2, "This is half of a pair of \\u escapes. The other half is missing."),
      ("\"\\udc00a\"", 1, 2, "This is half of a pair of \\u escapes. The other half is missing."),
      (
        "\"\\ud800\\u0041\"", 1, 2,
        "This is half of a pair of \\u escapes. The other half is missing."
      ),
      ("[007]", 1, 2, "A number must not begin with extra zeros."),
      ("[1.]", 1, 2, "This is not a number. Write it like 3, 0.5 or 1e6."),
      ("[-1e999]", 1, 2, "The number is too large."),
      ("[\u{A0}1]", 1, 2, "Expected a value, not another character."),
      ("\0", 1, 1, "Expected a value, not another character."),
    ])
  func errors(text: String, line: Int, column: Int, sentence: String) {
    let error = error(Array(text.utf8))
    #expect(error?.code == .syntax)
    #expect(error?.description == "line \(line), column \(column): \(sentence)")
  }

  @Test(
    "A JSON error never quotes the text, which may contain secrets",
    arguments: [
      "ghp_secret", "12ghp_secret", "-secret", "\"ghp_secret", "{ghp_secret", "{\"ghp_secret\" 1}",
      "{\"ghp_secret\": 1, \"ghp_secret\": 2}", "[ghp_secret]", "\"\\ghp_secret\"", "1 ghp_secret",
      "AKIA=ghp_secret", "1e999999", "0123456",
    ])
  func secrets(text: String) {
    guard let sentence = error(Array(text.utf8))?.description else {
      Issue.record("\(text) is taken")
      return
    }
    for secret in ["ghp", "secret", "AKIA", "999", "123", "'g'", "'-'"] {
      #expect(!sentence.contains(secret), "\(sentence)")
    }
  }

  @Test("An error about a duplicate key has both lines")
  func duplicates() throws {
    let error = error(Array("{\n\"a\": 1,\n\"b\": {\"a\": 2},\n\"\\u0061\": 3}".utf8))
    #expect(error?.location == TextLocation(line: 4, column: 1))
    #expect(
      error?.sentence
        == "A key occurs twice in one object, in line 2 and in line 4. Remove one.")
    // Two spellings of one letter are two keys.
    _ = try JSONDocument("{\"\u{E9}\": 1, \"e\u{301}\": 2}")
  }

  @Test("JSON nesting is limited to 64 levels")
  func depth() throws {
    let most = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
    _ = try JSONDocument(most)
    let error = error(Array(("[" + most + "]").utf8))
    #expect(error?.column == 65)
    #expect(error?.sentence.contains("64 levels") == true)
    #expect(self.error(Array(repeating: UInt8(ascii: "["), count: 1_000_000)) != nil)
    _ = try JSONDocument("[" + Array(repeating: "[]", count: 200).joined(separator: ",") + "]")
  }

  @Test("Invalid UTF-8 in JSON is reported with its location")
  func invalidUTF8() {
    let good = Array("[\n\"é".utf8)
    for bad: [UInt8] in [
      [0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xF5, 0x80, 0x80, 0x80],
    ] {
      let error = error(good + bad + Array("\"]".utf8))
      #expect(error?.location == TextLocation(line: 2, column: 3), "\(bad)")
      #expect(error?.sentence.contains("UTF-8") == true)
    }
  }

  @Test("Parsing truncated or damaged JSON ends with an error")
  func everyPrefix() {
    let text = Array(#"{"a": [1, -2.5e3, "é\ud83d\ude42"], "b": {"c": null, "d": true}}"#.utf8)
    for count in 0..<text.count { #expect(error(Array(text[..<count])) != nil, "\(count)") }
    #expect(error(text) == nil)
    for index in text.indices {
      for byte: UInt8 in [0, 0x22, 0x5C, 0x7B, 0x5D, 0x80, 0xFF] {
        var damaged = text
        damaged[index] = byte
        if let error = error(damaged) { #expect(error.line == 1 && !error.sentence.isEmpty) }
      }
    }
  }
}
