import TestSupport
import Testing

/// Tests that print logs with hostile lanes, values and file names. No output may harm a terminal
/// or a CI service.
@Suite("Logs with hostile text", .ownThread)
struct HostileLogTests {
  /// Every control character, every bidi control, wide, combining and zero-width characters, and
  /// commands of CI services.
  private static let texts: [String] = {
    let controls = (Array(0...0x1F) + Array(0x7F...0x9F)).map { "a\(escape($0))b" }
    let bidi = [0x061C, 0x200E, 0x200F] + Array(0x202A...0x202E) + Array(0x2066...0x2069)
    let hidden = [0x00AD, 0x180E, 0xFEFF] + Array(0x200B...0x200D) + Array(0x2060...0x2064)
    return controls + (bidi + hidden + [0x2028, 0x2029]).map { "c\(escape($0))d" } + [
      "::error::x", #"\n::error file=a::b"#, "  ::warning::x", "##[error]x", "##vso[task.complete]",
      "日本語の車線", "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}",
      "👨‍👩‍👧‍👦🏳️‍🌈1️⃣", #"\ud800"#, "]]>", "</script><script>alert(1)</script>",
      "|`*_[x](y)<b>&amp;", "=1+1", "%0A",
      #"\u001b[2J\u001b]0;t\u0007\u009b31m"#, String(repeating: "long ", count: 300),
    ]
  }()

  private static func escape(_ scalar: Int) -> String {
    let digits = String(scalar, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  static let log: String = {
    var lines: [String] = []
    for (index, text) in texts.enumerated() {
      let id = index + 1
      let start = SampleLog.subscribe(id, text, at: id * 1000, #","scope":1"#)
      lines.append(start.replacing("App/Model.swift", with: text).replacing("bind()", with: text))
      lines.append(SampleLog.next(id, text, at: id * 1000 + 10, text))
      if index.isMultiple(of: 3) {
        lines.append(
          SampleLog.end("failed", id, text, at: id * 1000 + 20).replacing("Timeout()", with: text))
      }
      lines.append(#"{"t":\#(id * 1000),"event":"mark","name":"\#(text)"}"#)
    }
    lines.append(#"{"t":5,"event":"scope-begin","scope":1,"name":"\#(texts[27])"}"#)
    lines.append(#"{"t":6,"event":"thread","thread":2,"name":"\#(texts[27])"}"#)
    return SampleLog.make(lines).replacing("search-sample", with: #"\u001b[31m\n::error::x"#)
  }()

  /// A hostile file name.
  static let name = "log\u{1B}[31m\n::error::x\u{202E}.jsonl"

  private static let commands = [
    "report", "report -f json", "report -f markdown", "report -f html", "report --ascii",
    "report --color=always",
    "report --lane=nosuch", "report --from=nosuch", "report --thread=nosuch",
    "report --scope=nosuch",
    "marbles", "marbles --limit=0", "check", "check -f json", "check -f junit", "check -f sarif",
    "check -f github", "check -f gitlab", "check -f markdown",
    "check --rule=silent.after=0 --main='*'",
    "export --to=otlp", "repair -o -",
  ]

  private func offence(_ bytes: [UInt8], allowsCR: Bool = false) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x0A: continue
      case 0x0D where allowsCR: continue
      case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
        return "raw U+" + String(scalar.value, radix: 16)
      default: continue
      }
    }
    return nil
  }

  @Test("CSV keeps every character in a file but not on a terminal")
  func csv() {
    let file = TemporaryFile(Self.log)
    let shown = run("export", "--to=csv", file.path, isTerminal: true).out
    #expect(offence(Array(shown.utf8), allowsCR: true) == nil)
    #expect(!shown.split(separator: "\n").contains { $0.drop { $0 == " " }.hasPrefix("::") })
    #expect(run("export", "--to=csv", file.path).out.contains("\u{1B}"))
  }

  @Test(
    "No command writes a control character or a CI command from a log",
    arguments: Self.commands)
  func everywhere(command: String) throws {
    let directory = TemporaryDirectory()
    directory.write(Self.log, to: Self.name)
    let quoted = "'" + Self.name + "'"
    let said = try BuiltProgram.bytes(
      "\(command) \(quoted) 2>&1",
      before: "cd '\(directory.path)' && LC_ALL=C.UTF-8 GITHUB_ACTIONS= ")
    #expect(said.count > 20)
    // Our own color sequences are removed, so no control character may remain.
    let isColored = command.contains("--color")
    let plain = isColored ? Self.withoutStyles(said) : said
    #expect(offence(plain) == nil)
    let isForGitHub = command.contains("-f github")
    // The last line is the exit code.
    for line in said.split(separator: 0x0A).dropLast().map({ String(decoding: $0, as: UTF8.self) })
    {
      let words = line.drop { $0 == " " }
      if isForGitHub {
        let isOurs = ["::error ", "::warning ", "::notice "].contains { words.hasPrefix($0) }
        #expect(isOurs, "\(line)")
      } else {
        #expect(!words.hasPrefix("::"), "\(line)")
      }
    }
  }

  @Test("A comparison doesn't write a control character from a log")
  func diff() throws {
    let directory = TemporaryDirectory()
    directory.write(Self.log, to: Self.name)
    directory.write(SampleLog.ofAnother(SampleLog.clean, process: 2), to: "clean")
    for format in ["text", "json", "markdown"] {
      let said = try BuiltProgram.bytes(
        "diff -f \(format) clean '\(Self.name)' 2>&1",
        before: "cd '\(directory.path)' && LC_ALL=C.UTF-8 ")
      #expect(offence(said, allowsCR: false) == nil)
    }
  }

  private static func withoutStyles(_ bytes: [UInt8]) -> [UInt8] {
    var plain: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == 0x1B, index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "[") {
        var end = index + 2
        while end < bytes.count, (0x30...0x3B).contains(bytes[end]) { end += 1 }
        if end < bytes.count, bytes[end] == UInt8(ascii: "m") {
          index = end + 1
          continue
        }
      }
      plain.append(bytes[index])
      index += 1
    }
    return plain
  }
}
