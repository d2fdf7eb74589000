import Foundation
import Testing

@testable import TraceFormat

@Suite("JSONWriter")
struct JSONWriterTests {
  private func write(
    _ layout: JSONWriter.Layout = .compact, escapesLessThan: Bool = false,
    _ body: (inout JSONWriter) -> Void
  ) -> String {
    var writer = JSONWriter(layout, escapesLessThan: escapesLessThan)
    body(&writer)
    return writer.text
  }

  private func report(_ json: inout JSONWriter) {
    json.object {
      $0.string("z", "text")
      $0.integer("a", 7)
      $0.array("list") {
        $0.integer(nil, 1)
        $0.object { _ in }
        $0.array { $0.null() }
      }
      $0.object("line", onOneLine: true) {
        $0.bool("yes", true)
        $0.array("in") {
          $0.integer(nil, 1)
          $0.integer(nil, 2)
        }
      }
      $0.array("none") { _ in }
    }
  }

  @Test("Compact JSON keeps the order of members and doesn't have spaces")
  func compact() {
    #expect(
      write { report(&$0) }
        == #"{"z":"text","a":7,"list":[1,{},[null]],"line":{"yes":true,"in":[1,2]},"none":[]}"#)
  }

  @Test("Indented JSON uses two spaces and keeps marked containers on one line")
  func indented() {
    #expect(
      write(.indented) { report(&$0) } == """
        {
          "z": "text",
          "a": 7,
          "list": [
            1,
            {},
            [
              null
            ]
          ],
          "line": {"yes": true, "in": [1, 2]},
          "none": []
        }
        """)
  }

  @Test("Several documents can be written after each other, in pieces")
  func documents() {
    var writer = JSONWriter()
    writer.object { $0.integer("a", 1) }
    writer.newline()
    writer.object { $0.integer("a", 2) }
    #expect(writer.text == "{\"a\":1}\n{\"a\":2}")
    writer.removeBytes()
    writer.newline()
    #expect(writer.text == "\n")
  }

  @Test("An open array continues after its first piece was taken")
  func pieces() {
    var text = ""
    text += write {
      $0.array {
        $0.integer(nil, 1)
        text += $0.text
        $0.removeBytes()
        $0.integer(nil, 2)
      }
    }
    #expect(text == "[1,2]")
  }

  @Test("Elements that were written separately can be added several times")
  func parts() {
    let text = write(.indented) {
      $0.object {
        $0.integer("a", 1)
        var part = $0.part(isFirst: false)
        part.string("b", "é\"")
        $0.append(part)
        $0.append(part)
      }
    }
    #expect(text == "{\n  \"a\": 1,\n  \"b\": \"é\\\"\",\n  \"b\": \"é\\\"\"\n}")
  }

  @Test("Text of any length is escaped wherever it needs to be")
  func lengths() {
    for length in 0...40 {
      let plain = String(repeating: "x", count: length)
      #expect(write { $0.string(nil, plain) } == "\"\(plain)\"")
      for place in 0...length {
        let (before, after) = (plain.prefix(place), plain.dropFirst(place))
        for (raw, escaped) in [("\"", "\\\""), ("\u{7F}", "\\u007f"), ("é", "é"), ("<", "<")] {
          #expect(
            write { $0.string(nil, before + raw + after) } == "\"\(before)\(escaped)\(after)\"")
        }
      }
    }
  }

  @Test("A long document is the same as its pieces")
  func growth() {
    var whole = JSONWriter()
    var pieces = JSONWriter()
    var text = ""
    for number in 0..<3000 {
      let value = String(repeating: "x", count: number % 97)
      whole.string(nil, value)
      pieces.string(nil, value)
      text += pieces.text
      pieces.removeBytes()
    }
    #expect(whole.text == text)
    #expect(text.utf8.count > 100_000)
  }

  @Test("Integers are written with all digits")
  func integers() {
    let text = write {
      $0.array {
        $0.integer(nil, UInt64.max)
        $0.integer(nil, Int64.min)
        $0.integer(nil, 0)
        $0.integer(nil, Int8(-128))
        $0.integer(nil, 1_000_000)
      }
    }
    #expect(text == "[18446744073709551615,-9223372036854775808,0,-128,1000000]")
  }

  @Test(
    "Doubles are written so that they read back the same, or as null",
    arguments: [
      (0.1, "0.1"), (3, "3.0"), (1e-7, "1e-07"), (.leastNonzeroMagnitude, "5e-324"), (-0.0, "-0.0"),
      (1.7976931348623157e308, "1.7976931348623157e+308"), (.infinity, "null"),
      (-.infinity, "null"), (.nan, "null"),
    ] as [(Double, String)])
  func doubles(value: Double, text: String) throws {
    #expect(write { $0.double(nil, value) } == text)
    if value.isFinite {
      #expect((try read(text) as? NSNumber)?.doubleValue == value)
    }
  }

  @Test(
    "Strings are escaped only where a terminal would be affected",
    arguments: [
      ("plain/é漢🙂", "plain/é漢🙂"), ("\"\\", #"\"\\"#), ("\n\r\t", #"\n\r\t"#),
      ("\u{1B}[31m\u{0}\u{7F}\u{9B}", #"\u001b[31m\u0000\u007f\u009b"#),
      ("a\u{202E}b\u{200B}\u{FEFF}", #"a\u202eb\u200b\ufeff"#), ("\u{2028}", #"\u2028"#),
      ("x\u{E0041}y", #"x\udb40\udc41y"#), ("</script>", "</script>"), ("", ""),
    ])
  func strings(text: String, escaped: String) {
    #expect(write { $0.string(nil, text) } == "\"" + escaped + "\"")
  }

  @Test("Keys are escaped like strings")
  func keys() {
    #expect(write { $0.object { $0.null("a\"\u{1B}") } } == #"{"a\"\u001b":null}"#)
  }

  @Test("Less-than signs can be escaped for script elements")
  func lessThan() {
    #expect(
      write(escapesLessThan: true) { $0.object { $0.string("<a", "</script><!--") } }
        == #"{"\u003ca":"\u003c/script>\u003c!--"}"#)
  }

  @Test("Every character reads back the same, and hidden characters are never written raw")
  func everyScalar() throws {
    let values =
      Array(0..<0x3000) + Array(0xD000..<0x10100) + Array(0xE0000..<0xE0200)
      + [0x1F600, 0x10FFFF]
    let all = values.compactMap { Unicode.Scalar(UInt32($0)) }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: all)
    let json = write { $0.string(nil, String(text)) }
    let raw = Set(json.unicodeScalars)
    for scalar in all {
      let mustBeEscaped = isHidden(scalar.value) || scalar == "\"" || scalar == "\\"
      // Quotes, backslashes and the letters of escapes are in the text anyway.
      if !scalar.isASCII || scalar.value < 0x20 || scalar.value == 0x7F {
        #expect(raw.contains(scalar) != mustBeEscaped, "U+\(String(scalar.value, radix: 16))")
      }
    }
    let back = try #require(try read(json) as? String)
    #expect(Array(back.unicodeScalars) == all)
  }

  /// Reads a value with a parser that doesn't belong to the project.
  private func read(_ json: String) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
  }

  // An independent definition of hidden characters.
  private func isHidden(_ value: UInt32) -> Bool {
    let controls = value < 0x20 || (0x7F...0x9F).contains(value)
    let lines = value == 0x2028 || value == 0x2029
    let bidi =
      value == 0x061C || (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    let invisible =
      [0xAD, 0x180E, 0xFEFF, 0xFFF9, 0xFFFA, 0xFFFB].contains(value)
      || (0x200B...0x200F).contains(value) || (0x2060...0x206F).contains(value)
      || (0xE0000...0xE007F).contains(value)
    return controls || lines || bidi || invisible
  }
}
