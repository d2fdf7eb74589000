import TestSupport
import Testing
import ViewerConsole

@testable import TerminalUI
@testable import TraceReports

@Suite("Escaping")
struct EscapingTests {
  /// Strings with every character below U+0100, all hidden and bidi characters, and two that XML
  /// can't contain. Each character is at the beginning, in the middle, at the end and after a
  /// newline.
  private static let texts: [String] = {
    var values: [UInt32] = Array(0..<0x100)
    values += [0x061C, 0x180E, 0xFEFF, 0xFFFE, 0xFFFF, 0x301, 0x1F642, 0xFF1D]
    for range in [0x200B...0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xE0000...0xE007F] {
      values += range.map { UInt32($0) }
    }
    let scalars = values.compactMap { Unicode.Scalar($0) }
    return scalars.flatMap { (scalar: Unicode.Scalar) -> [String] in
      let text = String(scalar)
      return [text, text + "b", "a" + text + "b", "a" + text, "a\n" + text + text + "b"]
        + ["a\\" + text, " " + text]
    }
  }()

  /// Reports whether a terminal or a page can show each line of a string unchanged.
  private func isSafe(_ text: String) -> Bool {
    text.split(separator: "\n", omittingEmptySubsequences: false).allSatisfy {
      SafeText.make(String($0)) == $0 && !$0.unicodeScalars.contains { $0.value < 0x20 }
    }
  }

  /// Decodes the references that both XML and HTML define. Returns nil if the text contains other
  /// markup.
  private func markup(_ text: String) -> String? {
    let names = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "#39": "'"]
    var result = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if "<>\"'".unicodeScalars.contains(scalar) { return nil }
      guard scalar == "&" else {
        result.unicodeScalars.append(scalar)
        continue
      }
      guard let end = rest.firstIndex(of: ";"), let name = names[String(rest[..<end])] else {
        return nil
      }
      result += name
      rest = rest[rest.index(after: end)...]
    }
    return result
  }

  /// Reports whether a character matches the `Char` production of XML 1.0.
  private func isXML(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }

  @Test("Text for XML and HTML is safe and keeps its lines")
  func markupText() {
    for text in Self.texts {
      let xml = Escaping.xmlText(text)
      #expect(xml.unicodeScalars.allSatisfy(isXML), "\(text.debugDescription)")
      #expect(Escaping.htmlText(text) == xml)
      guard let read = markup(xml) else {
        Issue.record("\(text.debugDescription) is \(xml)")
        continue
      }
      #expect(isSafe(read), "\(text.debugDescription)")
      let shown = SafeText.makeLines(text).unicodeScalars.map {
        [0xFFFE, 0xFFFF].contains($0.value)
          ? "<U+\(String($0.value, radix: 16, uppercase: true))>" : String($0)
      }
      #expect(read == shown.joined(), "\(text.debugDescription)")
    }
  }

  @Test("Text for attributes is on one line")
  func attributes() {
    for text in Self.texts {
      let xml = Escaping.xmlAttribute(text)
      #expect(xml.unicodeScalars.allSatisfy { isXML($0) && $0.value >= 0x20 })
      #expect(markup(xml) != nil, "\(text.debugDescription)")
    }
    #expect(
      Escaping.xmlAttribute("a \"b\"\n'<c>' & \u{1B}[0m")
        == "a &quot;b&quot;⏎&#39;&lt;c&gt;&#39; &amp; ^[[0m")
    #expect(Escaping.xmlText("]]>\u{1B}\r\nx\u{85}") == "]]&gt;^[\nx\\x85")
    #expect(Escaping.htmlText("\u{202E}<b>") == "&lt;U+202E&gt;&lt;b&gt;")
  }

  @Test("Escaping takes linear time")
  func longText() {
    let escapers: [(String, Int, (String) -> String)] = [
      ("XML", 7, Escaping.xmlText), ("CSV", 4, Escaping.csvField),
      ("Markdown", 9, Escaping.markdownCell),
    ]
    for (name, size, escape) in escapers {
      // Linear time grows by a factor of 16, and quadratic time by a factor of 256.
      let growth = costGrowth(from: 2_000, to: 32_000) { count in
        let text = String(repeating: "<é\n", count: count)
        #expect(escape(text).utf8.count / size == count)
      }
      #expect(growth < 64, "\(name): \(growth) times")
    }
  }

  /// Returns the text that Markdown shows for a cell, or `nil` if a character has a meaning in
  /// Markdown.
  private func markdown(_ text: String) -> String? {
    let names = ["&amp;": "&", "&lt;": "<", "&gt;": ">"]
    var result = ""
    // Comments aren't shown.
    let shown = text.split(separator: "<!-- -->", omittingEmptySubsequences: false).joined()
    var rest = Substring(shown)
    while let first = rest.unicodeScalars.first {
      if let (entity, meaning) = names.first(where: { rest.hasPrefix($0.key) }) {
        result += meaning
        rest = rest.dropFirst(entity.count)
        continue
      }
      rest.unicodeScalars.removeFirst()
      if first == "\\", let next = rest.unicodeScalars.first, next.isASCII,
        next.properties.isASCIIPunctuation
      {
        rest.unicodeScalars.removeFirst()
        result.unicodeScalars.append(next)
      } else if "|`<>*_[]\\&~$\n\r".unicodeScalars.contains(first) {
        return nil
      } else {
        result.unicodeScalars.append(first)
      }
    }
    return result
  }

  @Test("Text for Markdown table cells is plain")
  func markdownCells() {
    for text in Self.texts {
      let cell = Escaping.markdownCell(text)
      #expect(markdown(cell) == SafeText.make(text), "\(text.debugDescription) is \(cell)")
      #expect(!cell.hasPrefix("::") && !cell.hasPrefix("##"))
    }
    #expect(Escaping.markdownCell("a|b\\|c") == #"a\|b\\\|c"#)
    #expect(
      Escaping.markdownCell("[x](y) `z` <b> *_&~$") == #"\[x\](y) \`z\` &lt;b&gt; \*\_&amp;\~\$"#)
    #expect(Escaping.markdownCell("a\r\nb\n") == "a⏎b⏎")
    #expect(Escaping.markdownCell("::error::x") == "&lt;U+003A&gt;:error::x")
  }

  @Test(
    "Text for Markdown doesn't mention people or make links, headings or lists",
    arguments: [
      ("@torvalds", "@<!-- -->torvalds"), ("a@b.c", "a@<!-- -->b.c"),
      ("o/r#12, #7", "o/r#<!-- -->12, #<!-- -->7"), ("a#b", "a#b"),
      ("https://x.y", "https:<!-- -->//x.y"), ("a: //", "a: //"),
      ("see WWW.x.y", "see WWW<!-- -->.x.y"), ("www", "www"),
      ("GH-1 gh-x", "GH-<!-- -->1 gh-x"), ("a-1", "a-1"),
      ("# big", "\\# big"), (" # big", " \\# big"), ("#1", "\\#<!-- -->1"), ("- x", "\\- x"),
      ("+ x", "\\+ x"), ("===", "\\==="), ("12. x", "12\\. x"), ("1) x", "1\\) x"), ("12", "12"),
      ("a # b", "a # b"),
    ])
  func markdownLinks(text: String, cell: String) {
    #expect(Escaping.markdownCell(text) == cell)
    #expect(markdown(cell) == text)
  }

  /// Decodes escaped text as GitHub's runner does.
  private func workflow(_ text: String, _ codes: [(String, String)]) -> String {
    var result = text
    for (code, meaning) in codes + [("%25", "%")] {
      result = result.split(separator: code, omittingEmptySubsequences: false)
        .joined(separator: meaning)
    }
    return result
  }

  @Test("Text for workflow commands is on one line and decodes to safe text")
  func workflowCommands() {
    let data = [("%0D", "\r"), ("%0A", "\n")]
    for text in Self.texts {
      let message = Escaping.workflowData(text)
      #expect(!message.unicodeScalars.contains { $0.value < 0x20 }, "\(text.debugDescription)")
      #expect(workflow(message, data) == SafeText.makeLines(text), "\(text.debugDescription)")
      let property = Escaping.workflowProperty(text)
      #expect(!property.unicodeScalars.contains { $0.value < 0x20 || $0 == ":" || $0 == "," })
      #expect(
        workflow(property, data + [("%3A", ":"), ("%2C", ",")]) == SafeText.make(text),
        "\(text.debugDescription)")
    }
    #expect(Escaping.workflowData("100%\r\n%0A: a, b") == "100%25%0A%250A: a, b")
    #expect(Escaping.workflowProperty("a:1,b%") == "a%3A1%2Cb%25")
    #expect(Escaping.workflowData("a\n::error::b") == "a%0A<U+003A>:error::b")
  }

  @Test("Paths for URIs have only unreserved characters and decode to the same bytes")
  func uriPaths() {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
    for text in Self.texts {
      let uri = Array(Escaping.uriPath(text).utf8)
      var read: [UInt8] = []
      var index = 0
      while index < uri.count {
        if uri[index] == UInt8(ascii: "%"), index + 2 < uri.count {
          let digits = String(decoding: uri[(index + 1)...(index + 2)], as: UTF8.self)
          read.append(UInt8(digits, radix: 16) ?? 0)
          #expect(digits == digits.uppercased())
          #expect(!plain.contains(read[read.count - 1]), "\(text.debugDescription)")
          index += 3
        } else {
          #expect(plain.contains(uri[index]), "\(text.debugDescription)")
          read.append(uri[index])
          index += 1
        }
      }
      #expect(read == Array(text.utf8))
    }
    #expect(Escaping.uriPath("Sources/My App/é:1.swift") == "Sources/My%20App/%C3%A9%3A1.swift")
  }

  @Test("A component of a URI can't contain a separator")
  func uriComponents() {
    #expect(Escaping.uriComponent("a/b&c=d#e+f é") == "a%2Fb%26c%3Dd%23e%2Bf%20%C3%A9")
  }

  /// Decodes one CSV field (RFC 4180), or returns `nil` if a reader would find more than one.
  private func csv(_ field: String) -> String? {
    // This compares bytes, because CR LF is one character.
    let bytes = Array(field.utf8)
    let isSpecial = bytes.contains { [0x2C, 0x22, 0x0A, 0x0D].contains($0) }
    guard bytes.first == 0x22 else { return isSpecial ? nil : field }
    guard bytes.count >= 2, bytes.last == 0x22 else { return nil }
    var inner: [UInt8] = []
    var index = 1
    while index < bytes.count - 1 {
      if bytes[index] == 0x22 {
        index += 1
        guard index < bytes.count - 1, bytes[index] == 0x22 else { return nil }
      }
      inner.append(bytes[index])
      index += 1
    }
    return String(decoding: inner, as: UTF8.self)
  }

  /// Reports whether a spreadsheet would run a string as a formula.
  private func isFormula(_ text: String) -> Bool {
    if "\t\r\n".unicodeScalars.contains(text.unicodeScalars.first ?? "x") { return true }
    let first = text.unicodeScalars.first {
      !$0.properties.isWhitespace && ![.control, .format].contains($0.properties.generalCategory)
    }
    return text != "-" && "=+-@\u{FF1D}".unicodeScalars.contains(first ?? "x")
  }

  @Test("A CSV field keeps every character and isn't a formula")
  func csvFields() {
    for text in Self.texts {
      guard let read = csv(Escaping.csvField(text)) else {
        Issue.record("\(text.debugDescription)")
        continue
      }
      #expect(!isFormula(read), "\(text.debugDescription)")
      #expect(read == (isFormula(text) ? "'" + text : text), "\(text.debugDescription)")
    }
    for (text, field) in [
      ("plain text", "plain text"), ("", ""), ("a,\"b\"\r\nc", "\"a,\"\"b\"\"\r\nc\""),
      ("a\tb", "\"a\tb\""), ("\u{1B}[31m", "\"\u{1B}[31m\""), ("a\rb", "\"a\rb\""),
      ("=1+1", "'=1+1"),
      ("\t=HYPERLINK(\"x\",\"y\")", "\"'\t=HYPERLINK(\"\"x\"\",\"\"y\"\")\""), ("a-b=c", "a-b=c"),
      // Another ' is added, so removing one restores the text.
      ("'=1+1", "''=1+1"), ("''-x", "'''-x"), ("'tis", "'tis"), ("'", "'"), ("-", "-"),
      ("\u{200B}=1", "'\u{200B}=1"), ("\u{1B}=1", "\"'\u{1B}=1\""),
    ] {
      #expect(Escaping.csvField(text).utf8.elementsEqual(field.utf8), "\(text.debugDescription)")
    }
  }

  @Test("A CSV field for a terminal is safe")
  func shownCSVFields() {
    for text in Self.texts {
      let field = Escaping.shownCSVField(text)
      guard let read = csv(field) else {
        Issue.record("\(text.debugDescription)")
        continue
      }
      let safe = SafeText.makeLines(text)
      #expect(read == safe || read == "'" + safe, "\(text.debugDescription)")
      #expect(!isFormula(read), "\(text.debugDescription)")
    }
  }

  @Test(
    "A number in CSV isn't escaped, but text that only resembles a number is",
    arguments: [
      ("-5", true), ("+7", true), ("-0.25", true), ("-1e3", true), ("+1.5E-10", true),
      ("- 5", false), ("-.5", false), ("-5.", false), ("-1e", false),
      ("-5+cmd", false), ("--5", false), ("-5 ", false), ("-0x1", false), ("-1e5.5", false),
      ("+\u{661}", false),
    ])
  func csvNumbers(text: String, isNumber: Bool) {
    let field = Escaping.csvField(text)
    #expect(csv(field) == (isNumber ? text : "'" + text))
  }
}

extension Unicode.Scalar.Properties {
  fileprivate var isASCIIPunctuation: Bool {
    switch generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .decimalNumber, .control, .spaceSeparator: false
    default: true
    }
  }
}
