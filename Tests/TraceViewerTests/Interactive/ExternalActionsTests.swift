import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat
@testable import ViewerBase

@Suite("Editors, the clipboard, names and rates")
struct PassingOnTests {
  @Test(
    "tells each editor the line in its own way",
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

  @Test("prefers VISUAL, takes nothing for not set, and vi where there is none")
  func choice() {
    func name(_ values: [String: String]) -> String {
      EditorCommand(Environment(values), file: "a", line: 0).name
    }
    #expect(name(["VISUAL": "emacs", "EDITOR": "ed"]) == "emacs")
    #expect(name(["VISUAL": "", "EDITOR": "ed"]) == "ed")
    #expect(name([:]) == "vi")
    #expect(EditorCommand(Environment(), file: "a", line: 0).arguments == ["+1", "a"])
  }

  @Test("puts text on the clipboard in a sequence that text cannot end")
  func clipboard() {
    #expect(Clipboard.sequence("hello") == "\u{1B}]52;c;aGVsbG8=\u{07}")
    #expect(Clipboard.sequence("") == "\u{1B}]52;c;\u{07}")
    let harm = Clipboard.sequence("\u{07}\u{1B}]0;x")
    #expect(harm.unicodeScalars.filter { $0.value < 0x20 }.count == 2)
  }

  @Test("cuts what is too long for a terminal between characters", arguments: ["x", "é", "日", "👩‍👩‍👧‍👦"])
  func longClipboard(character: String) {
    let text = String(repeating: character, count: 100_000)
    let bytes = Clipboard.sequence(text).utf8.count
    #expect(bytes <= (Clipboard.mostBytes + 2) / 3 * 4 + 8)
    #expect(bytes > Clipboard.mostBytes)
  }

  @Test(
    "knows formats by the ends of names",
    arguments: [
      ("a.csv", .csv), ("dir/a.pftrace", .perfetto), ("a.perfetto-trace", .perfetto),
      ("a.otlp.json", .otlp), ("a.chrome.json", .chrome), ("a.json", .chrome), ("a.txt", nil),
      (".csv", nil), ("dir/.json", nil), ("csv", nil), ("", nil),
    ] as [(String, ExportFormat?)])
  func exportNames(name: String, format: ExportFormat?) {
    #expect(ExportName(name)?.format == format)
  }

  @Test(
    "makes names of files of names of lanes",
    arguments: [
      ("search.request", "search.request"), ("a/b c", "a-b-c"), ("../../etc", "etc"), ("", "trace"),
      ("日本", "trace"), ("-rf", "rf"), ("x日", "x-"),
      (String(repeating: "a", count: 99), String(repeating: "a", count: 60)),
    ])
  func stems(lane: String, stem: String) {
    #expect(ExportName.stem(of: lane) == stem)
  }

  @Test("says how many records a second come, once a second")
  func rate() {
    var rate = RecordRate()
    let start = ContinuousClock.Instant.now
    #expect(rate.measure(100, at: start) == false)
    #expect(rate.measure(500, at: start + .milliseconds(900)) == false)
    #expect(rate.value == nil)
    #expect(rate.measure(1_100, at: start + .seconds(2)) == true)
    #expect(rate.value == 500)
    // The same again is nothing new; none at all is.
    #expect(rate.measure(1_600, at: start + .seconds(3)) == false)
    #expect(rate.measure(1_600, at: start + .seconds(4)) == true)
    #expect(rate.value == 0)
    // With another log in the file it begins anew.
    #expect(rate.measure(5, at: start + .seconds(6)) == false)
    #expect(rate.measure(15, at: start + .seconds(7)) == true)
    #expect(rate.value == 10)
  }

  @Test("writes keys as people know them")
  func keyNames() {
    #expect(KeyName.of(.control("c"), isASCII: true) == "^C")
    #expect(KeyName.of(KeyPress(.left, .shift), isASCII: true) == "Shift-Left")
    #expect(KeyName.of(KeyPress(.left), isASCII: false) == "←")
    #expect(KeyName.of(KeyPress("x", .alt), isASCII: true) == "Alt-x")
    #expect(KeyName.of(KeyPress(" "), isASCII: true) == "Space")
    #expect(KeyName.of(KeyPress(.function(5)), isASCII: true) == "F5")
  }
}
