import TestSupport
import Testing

@testable import TraceFormat
@testable import TraceReports
@testable import ViewerConsole

/// Tests of logs, baselines and file names with hostile text. The text must not break a format or
/// become a command.
@Suite("Formats of trace-viewer check for a hostile log")
struct CheckHostileTests {
  /// The hostile strings with JSON escapes.
  private static let texts = [
    #"\u001b[2J\u001b]0;title\u0007"#, #"\u202eabc\u2066"#, #"\n::error::x"#, "::error::x",
    "##[error]x", "a ##vso[task.complete]", "]]>", #"<\/failure><script>"#, #"\u0000\u009b31m"#,
    #"\ufffe\uffff"#, "| `a` | <b> [x](y)", "%0A::error::", #"\" ' & < >"#, "", " ",
    #"\r\n::stop-commands::x"#, "../../etc/passwd", "=1+1",
  ]

  private static let log: String = {
    var lines: [String] = []
    for (index, text) in texts.enumerated() {
      let id = index + 1
      lines.append(
        #"{"t":\#(id),"event":"subscribe","sub":\#(id),"lane":"\#(text)","thread":1,"op":"lane","#
          + #""source":"\#(text)/\#(text).swift:-\#(id)","function":"\#(text)","type":"\#(text)"}"#)
      lines.append(SampleLog.next(id, text, at: 100 + id, text))
    }
    let header = SampleLog.header.replacing(
      #""search-sample""#, with: #""\n::error::\u001b[2J]]>""#
    )
    .replacing(#""ci-7""#, with: #"" ""#).replacing("2026-11-20T", with: "2026-13-40T")
    return SampleLog.make(lines).replacing(SampleLog.header, with: header)
  }()

  private static let baseline: String = {
    let entries = texts.map {
      #"{"rule": "x\#($0)", "lane": "\#($0)", "file": "\#($0)", "function": "\#($0)", "count": 1}"#
    }
    let list = entries.joined(separator: ",\n")
    return #"{"format": "trace-viewer-baseline", "version": 1, "findings": [\#(list)]}"#
  }()

  private func check(_ format: CheckFormat) throws -> String {
    let directory = TemporaryDirectory(["known.json": Self.baseline])
    let name = "\u{1B}[2J\n::error::x]]>\u{202E}.jsonl"
    directory.write(Self.log, to: name)
    let path = "\(directory.path)/\(name)"
    let result = try writeCheck(
      format, of: [path, "/nonexistent/\n::error::\u{1B}]]>"],
      ["--baseline=\(directory.path)/known.json"])
    #expect(result.code == .cannotOpen)
    expectSafe(result.error)
    return result.out
  }

  private func expectSafe(_ text: String) {
    let isSafe = text.unicodeScalars.allSatisfy { $0 == "\n" || !HiddenCharacter.contains($0) }
    #expect(isSafe)
  }

  @Test(
    "No check format contains control characters or hidden characters",
    arguments: CheckFormat.allCases)
  func safe(format: CheckFormat) throws {
    expectSafe(try check(format))
  }

  @Test(
    "No line of a check format starts with a command of a CI service",
    arguments: CheckFormat.allCases)
  func commands(format: CheckFormat) throws {
    for line in try check(format).split(separator: "\n") {
      let words = line.drop { $0 == " " }
      // Only this format consists of annotations.
      if format == .github {
        #expect(words.hasPrefix("::error ") || words.hasPrefix("::notice title=trace-viewer::"))
      } else {
        #expect(!words.hasPrefix("::") && !words.hasPrefix("##["), "\(line)")
      }
    }
  }

  @Test(
    "JSON formats of a check stay valid for a hostile log",
    arguments: [CheckFormat.json, .sarif, .gitlab])
  func json(format: CheckFormat) throws {
    _ = try JSONDocument(check(format))
  }

  @Test("XML of a check stays well-formed for a hostile log")
  func xml() throws {
    let text = try check(.junit)
    #expect(!text.contains("]]>"))
    #expect(!text.contains("<script"))
    #expect(text.contains("timestamp=\"1970-01-01T00:00:00\" hostname=\"localhost\""))
    // Every `<` opens or closes one of our own elements.
    let names = [
      "?xml", "testsuites", "testsuite", "properties", "property", "testcase", "failure", "error",
      "skipped", "system-out", "system-err",
    ]
    for piece in text.split(separator: "<") {
      let name = piece.prefix { $0 != " " && $0 != ">" && $0 != "/" }
      let closed = piece.dropFirst().prefix { $0 != ">" }
      #expect(names.contains(String(name)) || names.contains(String(closed)), "\(piece)")
    }
  }

  @Test("URIs in SARIF are relative and contain only plain characters")
  func addresses() throws {
    let lines = try check(.sarif).split(separator: "\n").filter { $0.contains("\"uri\": ") }
    #expect(lines.count == Self.texts.count)
    for line in lines {
      let uri = try #require(line.split(separator: "\"").last)
      #expect(!uri.hasPrefix("/") && !uri.hasPrefix("."))
      #expect(uri.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "<") })
    }
  }
}
