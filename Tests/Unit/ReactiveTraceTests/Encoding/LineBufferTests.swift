import Foundation
import Testing

@testable import ReactiveTrace

@Suite("Encoding a log line")
struct LineBufferTests {
  private func value(_ text: String, limit: Int = .max) throws -> (
    text: String, record: [String: Any]
  ) {
    var line = LineBuffer()
    defer { line.deallocate() }
    line.begin(at: 1, .next)
    line.text(.value, text, limit: limit)
    line.end()
    let bytes = line.finishedBytes
    let object = try JSONSerialization.jsonObject(with: Data(bytes))
    return (
      String(decoding: bytes, as: UTF8.self), try #require(object as? [String: Any])
    )
  }

  @Test("A line escapes control characters, quotes and backslashes", arguments: 0..<0x80)
  func everyCharacter(code: Int) throws {
    let character = String(try #require(UnicodeScalar(code)))
    for shift in 0..<20 {
      let text = String(repeating: "a", count: shift) + character + "b"
      let (line, record) = try value(text)
      #expect(record["value"] as? String == text)
      #expect(line.dropLast().utf8.allSatisfy { $0 >= 0x20 })
    }
  }

  @Test(
    "A line uses the short JSON escapes where they exist",
    arguments: [
      ("\u{8}\t\n\u{C}\r", #"\b\t\n\f\r"#), ("\"\\/", #"\"\\/"#),
      ("\u{0}\u{1F}\u{7F}", "\\u0000\\u001F\u{7F}"),
    ])
  func shortForms(text: String, escaped: String) throws {
    #expect(try value(text).text == "{\"t\":1,\"event\":\"next\",\"value\":\"\(escaped)\"}\n")
  }

  @Test(
    "Long text is truncated between characters, and its full length is recorded",
    arguments: [
      ("abcdef", 3, "abc", 6), ("aé", 2, "a", 3), ("漢字", 5, "漢", 6), ("ab", 0, "", 2),
      ("x👨‍👩‍👧y", 18, "x", 20), ("x👨‍👩‍👧y", 19, "x👨‍👩‍👧", 20), ("e\u{301}e", 2, "", 4),
      ("\n\n\n", 2, "\n\n", 3),
    ])
  func cut(text: String, limit: Int, shown: String, size: Int) throws {
    let record = try value(text, limit: limit).record
    #expect(record["value"] as? String == shown)
    #expect(record["truncated"] as? Int == size)
  }

  @Test("A string that fits isn't truncated", arguments: ["", "abc", "é漢👍"])
  func fits(text: String) throws {
    let record = try value(text, limit: text.utf8.count).record
    #expect(record["value"] as? String == text)
    #expect(record["truncated"] == nil)
  }

  @Test("A letter with hundreds of accents is truncated between scalars")
  func accents() throws {
    let text = "e" + String(repeating: "\u{301}", count: 300)
    let shown = try #require(try value(text, limit: 256).record["value"] as? String)
    #expect(shown.utf8.count == 255)
  }

  @Test("A line encodes strings that were made from slices")
  func foreign() throws {
    let text = String("0123456789 a long text with é".dropFirst(3))
    #expect(try value(text).record["value"] as? String == text)
  }
}
