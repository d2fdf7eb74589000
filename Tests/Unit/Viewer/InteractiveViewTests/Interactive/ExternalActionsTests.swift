import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import ViewerConsole

@Suite("External actions")
struct PassingOnTests {
  @Test(
    "Each editor receives the line number in its own syntax",
    arguments: [
      ("vi", ["+7", "a b.swift"]), ("/usr/bin/emacs -nw", ["+7", "a b.swift"]),
      ("code --wait", ["--goto", "a b.swift:7"]), ("/opt/bin/subl", ["a b.swift:7"]),
      ("hx", ["a b.swift:7"]), ("xed", ["--line", "7", "a b.swift"]),
      ("idea", ["--line", "7", "a b.swift"]),
    ])
  func editors(editor: String, arguments: [String]) {
    let command = EditorCommand(Environment(["EDITOR": editor]), file: "a b.swift", line: 7)
    #expect(command.arguments == arguments)
    #expect(command.script == "\(editor) \"$@\"")
    #expect(command.name == editor)
  }

  @Test("VISUAL takes precedence over EDITOR, an empty value is ignored, and the default is vi")
  func choice() {
    func name(_ values: [String: String]) -> String {
      EditorCommand(Environment(values), file: "a", line: 0).name
    }
    #expect(name(["VISUAL": "emacs", "EDITOR": "ed"]) == "emacs")
    #expect(name(["VISUAL": "", "EDITOR": "ed"]) == "ed")
    #expect(name([:]) == "vi")
    #expect(EditorCommand(Environment(), file: "a", line: 0).arguments == ["+1", "a"])
  }

  @Test("Copied text can't end the clipboard escape sequence")
  func clipboard() {
    #expect(Clipboard.sequence("hello") == "\u{1B}]52;c;aGVsbG8=\u{07}")
    #expect(Clipboard.sequence("") == "\u{1B}]52;c;\u{07}")
    let harm = Clipboard.sequence("\u{07}\u{1B}]0;x")
    #expect(harm.unicodeScalars.filter { $0.value < 0x20 }.count == 2)
  }

  @Test(
    "Text that is too long for the clipboard is cut between characters",
    arguments: ["x", "é", "日", "👩‍👩‍👧‍👦"])
  func longClipboard(character: String) {
    let text = String(repeating: character, count: 100_000)
    let bytes = Clipboard.sequence(text).utf8.count
    #expect(bytes <= (Clipboard.maxBytes + 2) / 3 * 4 + 8)
    #expect(bytes > Clipboard.maxBytes)
  }

  @Test(
    "The format of an export depends on the suffix of the file name",
    arguments: [
      ("a.csv", .csv), ("dir/a.pftrace", .perfetto), ("a.perfetto-trace", .perfetto),
      ("a.otlp.json", .otlp), ("a.json", nil), ("a.txt", nil),
      (".csv", nil), ("dir/.json", nil), ("csv", nil), ("", nil),
    ] as [(String, ExportFormat?)])
  func exportNames(name: String, format: ExportFormat?) {
    #expect(ExportName(name)?.format == format)
  }

  @Test(
    "The suggested file name of an export is based on the lane",
    arguments: [
      ("search.request", "search.request"), ("a/b c", "a-b-c"), ("../../etc", "etc"), ("", "trace"),
      ("日本", "trace"), ("-rf", "rf"), ("x日", "x-"),
      (String(repeating: "a", count: 99), String(repeating: "a", count: 60)),
    ])
  func stems(lane: String, stem: String) {
    #expect(ExportName.stem(of: lane) == stem)
  }

  @Test("The record rate is measured once per second")
  func rate() {
    var rate = RecordRate()
    let start = ContinuousClock.Instant.now
    #expect(rate.measure(100, at: start) == false)
    #expect(rate.measure(500, at: start + .milliseconds(900)) == false)
    #expect(rate.value == nil)
    #expect(rate.measure(1_100, at: start + .seconds(2)) == true)
    #expect(rate.value == 500)
    // An unchanged rate isn't news, but a rate of zero is.
    #expect(rate.measure(1_600, at: start + .seconds(3)) == false)
    #expect(rate.measure(1_600, at: start + .seconds(4)) == true)
    #expect(rate.value == 0)
    // With another log in the file, the measurement restarts.
    #expect(rate.measure(5, at: start + .seconds(6)) == false)
    #expect(rate.measure(15, at: start + .seconds(7)) == true)
    #expect(rate.value == 10)
  }

  @Test("Keys are shown with familiar names")
  func keyNames() {
    #expect(KeyName.of(.control("c"), isASCII: true) == "^C")
    #expect(KeyName.of(KeyPress(.left, .shift), isASCII: true) == "Shift-Left")
    #expect(KeyName.of(KeyPress(.left), isASCII: false) == "←")
    #expect(KeyName.of(KeyPress("x", .alt), isASCII: true) == "Alt-x")
    #expect(KeyName.of(KeyPress(" "), isASCII: true) == "Space")
    #expect(KeyName.of(KeyPress(.function(5)), isASCII: true) == "F5")
  }
}
