import TestSupport
import Testing

@testable import TerminalUI
@testable import ViewerConsole

@Suite("trace-viewer marbles")
struct MarblesCommandTests {
  private static let ms = 1_000_000

  private func marbles(_ log: String, _ more: String..., columns: Int = 80) -> RunResult {
    let file = TemporaryFile(log)
    return run(["marbles", file.path] + more, columns: columns)
  }

  private let typing = SampleLog.make(
    [
      SampleLog.subscribe(1, "query", at: 0),
      SampleLog.next(1, "query", at: 100 * Self.ms, "J"),
      SampleLog.next(1, "query", at: 200 * Self.ms, "Ji"),
      SampleLog.next(1, "query", at: 300 * Self.ms, "Jim"),
      SampleLog.end("completed", 1, "query", at: 400 * Self.ms),
    ], end: 500 * Self.ms)

  @Test("A diagram uses the notation of the documentation")
  func notation() {
    let result = marbles(typing, columns: 50)
    #expect(result.code == .clean)
    #expect(result.error.isEmpty)
    #expect(
      result.lines == [
        "          0      100 ms   200 ms    300 ms",
        "query #1  -------[J]------[Ji]------[Jim]------|",
        "",
        "[a] an element   | completed",
      ])
  }

  @Test("Simultaneous events are aligned, ends have signs, and children are below their parents")
  func ends() {
    let log = SampleLog.make(
      [
        SampleLog.subscribe(4, "settings", at: 0),
        SampleLog.subscribe(1, "results", at: 100 * Self.ms),
        SampleLog.subscribe(2, "request", at: 200 * Self.ms, #","parent":1"#),
        SampleLog.next(2, "request", at: 300 * Self.ms, "a"),
        SampleLog.next(1, "results", at: 300 * Self.ms, "[a]"),
        SampleLog.subscribe(3, "request", at: 400 * Self.ms, #","parent":1"#),
        SampleLog.end("failed", 3, "request", at: 600 * Self.ms),
        SampleLog.end("released", 2, "request", at: 700 * Self.ms),
        SampleLog.end("disposed", 1, "results", at: 900 * Self.ms),
      ])
    let lines = marbles(log, columns: 70).lines
    #expect(
      lines == [
        "              0   100 ms  300 ms  400 ms               700 ms    1 s",
        "settings #4   --------------------------------------------------->",
        "results #1        --------[[a]]------------------------------^",
        "├ request #2          ----[a]--------------------------~",
        "└ request #3                      ------X(Timeout())",
        "",
        "[a] an element   X(error) failed   ^ disposed   ~ released",
        "> still active",
      ])
    let ascii = marbles(log, "--ascii", columns: 70).lines
    #expect(
      ascii
        == lines.map {
          $0.hasPrefix("└") || $0.hasPrefix("├") ? "-" + $0.dropFirst() : $0
        })
  }

  @Test("A subscription that ends after the diagram has no end sign, but an active one does")
  func cut() {
    let lines = marbles(SampleLog.leak, "--to=500ms", columns: 70).lines
    #expect(lines.first { $0.hasPrefix("results") }?.hasSuffix("-") == true)
    #expect(lines.first { $0.hasPrefix("settings") }?.hasSuffix(">") == true)
    let ended = marbles(SampleLog.clean, "--to=350ms", "--lane=results", columns: 70).lines
    #expect(ended.count == 2)
    #expect(!ended.joined().contains(">"))
  }

  @Test("Elements that don't fit are folded into a count")
  func dense() {
    let burst = (0..<500).map { SampleLog.next(1, "a", at: 100 * Self.ms + $0, "value \($0)") }
    let log = SampleLog.make(
      [SampleLog.subscribe(1, "a", at: 0)] + burst
        + [
          SampleLog.next(1, "a", at: 600 * Self.ms, "last"),
          SampleLog.end("completed", 1, "a", at: 800 * Self.ms),
        ])
    let lines = marbles(log, columns: 60).lines
    #expect(lines[1].contains("[last]"))
    #expect(lines[1].hasSuffix("|"))
    // Each element is either shown or part of a count.
    var count = 0
    for piece in lines[1].split(separator: "[").dropFirst() {
      let text = piece.prefix { $0 != "]" }
      count += text.first == "x" ? Int(text.dropFirst()) ?? 0 : 1
    }
    #expect(count == 501)
    #expect(lines.last?.contains("[x12] that many elements") == true)
  }

  @Test("A diagram can be limited to lanes, a time range and a number of rows")
  func choice() {
    #expect(marbles(SampleLog.leak, "--lane=req*").lines.count { $0.contains("request #") } == 2)
    #expect(!marbles(SampleLog.leak, "--lane=req*").out.contains("results"))
    #expect(marbles(SampleLog.leak, "--lane=set*", "--lane=res*").lines[2].hasPrefix("results #1"))
    let few = marbles(SampleLog.leak, "--limit=1")
    #expect(few.out.contains("+3 more subscriptions; --limit=0 shows all"))
    let nothing = marbles(SampleLog.leak, "--lane=reqest")
    #expect(nothing.code == .usage && nothing.error.contains("Did you mean 'request'?"))
    let part = marbles(SampleLog.leak, "--from=250ms", "--to", "0.45").lines
    #expect(part.count { $0.contains("[[\"a\"]]") } == 1)
    #expect(!part.contains { $0.contains("X(Timeout())") })
    let many = SampleLog.make((1...30).map { SampleLog.subscribe($0, "a", at: $0) })
    #expect(marbles(many).lines.count { $0.hasPrefix("a #") } == 20)
    #expect(marbles(many).out.contains("+10 more subscriptions"))
    #expect(marbles(many, "--limit=0").lines.count { $0.hasPrefix("a #") } == 30)
  }

  @Test("Marks can be used as times, and an unknown mark lists the existing ones")
  func marks() {
    let log = SampleLog.make([
      SampleLog.subscribe(1, "a", at: 0),
      SampleLog.next(1, "a", at: 100, "before"),
      #"{"t":150,"event":"mark","name":"login"}"#,
      SampleLog.next(1, "a", at: 200, "after"),
    ])
    #expect(!marbles(log, "--from=login").out.contains("[before]"))
    #expect(marbles(log, "--from=login").out.contains("[after]"))
    #expect(!marbles(log, "--until=login").out.contains("[after]"))
    let wrong = marbles(log, "--from=logni")
    #expect(wrong.code == .usage)
    #expect(wrong.error.contains("The marks are: login."))
    #expect(marbles(log, "--from=2s", "--to=1s").code == .usage)
    #expect(marbles(log, "--from=1..2").code == .usage)
  }

  @Test(
    "A diagram fits any width, regardless of its text",
    arguments: [10, 14, 20, 33, 60, 100, 250])
  func widths(width: Int) {
    let values = [
      "\\u001b[31mred", "漢字漢字漢字", "👩‍👩‍👧‍👦 family", "\\u202eabc", "a\\nb", "::error::x", "",
      "e\\u0301\\u0301",
      String(repeating: "long ", count: 300),
    ]
    var lines: [String] = []
    for row in 1...6 {
      lines.append(
        SampleLog.subscribe(row, "läne\\u001b]\(row)::", at: row * 10, #","parent":\#(row - 1)"#))
      for (index, value) in values.enumerated() {
        lines.append(SampleLog.next(row, "a", at: 1_000 * index * row, value))
      }
    }
    let log = SampleLog.make(lines + [SampleLog.end("failed", 3, "a", at: 90_000)])
    for arguments in [[], ["--ascii"], ["--lane=*1::"]] as [[String]] {
      let file = TemporaryFile(log)
      let result = run(["marbles", file.path] + arguments, columns: width)
      #expect(result.code == .clean)
      for line in result.lines {
        #expect(DisplayWidth.columns(of: line) <= width, "\(line)")
        #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202E}" })
        #expect(!line.drop { $0 == " " }.hasPrefix("::"))
      }
      if arguments == ["--ascii"] { #expect(result.out.utf8.allSatisfy { $0 < 0x80 }) }
    }
  }

  @Test("A diagram shows elements without a beginning and after an end")
  func damage() {
    let log = SampleLog.make([
      SampleLog.next(1, "a", at: 100, "x"),
      SampleLog.end("completed", 1, "a", at: 200),
      SampleLog.next(1, "a", at: 300, "late"),
    ])
    let result = marbles(log, columns: 40)
    #expect(result.code == .clean)
    #expect(result.lines[1].contains("[x]"))
    #expect(result.lines[1].hasSuffix("[late]"))
    #expect(marbles(log, "--strict").code == .notALog)
    #expect(marbles(SampleLog.make([])).out.hasPrefix("The log has no subscriptions."))
    #expect(run("marbles", "/nonexistent/a").code == .cannotOpen)
    #expect(run("marbles").code == .usage)
  }
}
