import TestSupport
import Testing

@testable import TerminalUI
@testable import ViewerConsole

@Suite("trace-viewer diff")
struct DiffCommandTests {
  private static let ms = 1_000_000

  /// Returns a log of requests with these lifetimes, which begin one after the other.
  private func log(lives: [Int], lane: String = "request") -> String {
    SampleLog.make(
      lives.enumerated().flatMap { index, life in
        [
          SampleLog.subscribe(index + 1, lane, at: index),
          SampleLog.end("completed", index + 1, lane, at: index + life),
        ]
      })
  }

  private func diff(_ old: String, _ new: String, _ more: String...) -> RunResult {
    let (before, after) = (TemporaryFile(old), TemporaryFile(new))
    let result = run(["diff"] + more + [before.path, after.path])
    return RunResult(
      code: result.code,
      out: result.out.split(separator: before.path).joined(separator: "OLDLOG")
        .split(separator: after.path).joined(separator: "NEWLOG"),
      error: result.error)
  }

  @Test("A comparison of logs without a common lane warns")
  func unrelated() {
    let (one, other) = (
      TemporaryFile(SampleLog.make([SampleLog.subscribe(1, "a", at: 1)])),
      TemporaryFile(SampleLog.make([SampleLog.subscribe(1, "b", at: 1, line: 9)]))
    )
    #expect(run("diff", one.path, other.path).out.contains("No lane is in both logs."))
    #expect(!run("diff", one.path, one.path).out.contains("No lane is in both logs."))
  }

  @Test("A log doesn't differ from itself")
  func same() {
    for log in [SampleLog.clean, SampleLog.leak] {
      let result = diff(log, log)
      #expect(result.code == .clean)
      #expect(result.lines.last == "no new errors")
      #expect(result.out.contains("lanes unchanged."))
      #expect(!result.out.contains("FINDINGS"))
    }
  }

  @Test("A new finding is shown and fails the comparison")
  func worse() {
    let result = diff(SampleLog.clean, SampleLog.leak)
    #expect(result.code == .findings)
    // A long path is shortened in its middle.
    let lines = result.lines.dropFirst(5).map { line in
      line.firstRange(of: ":6  next").map { "      NEWLOG" + line[$0.lowerBound...] } ?? line
    }
    #expect(
      lines == [
        "  LANE      SUBSCRIPTIONS  STILL ACTIVE  FAILED      ELEMENTS    MEDIAN LIFE",
        "+ settings  0 → 1 (+1)     0 → 1 (+1)    ·           ·           ·",
        "  results   ·              ·             ·           1 → 0 (-1)  ·",
        "  request   1 → 2 (+1)     0 → 1 (+1)    0 → 1 (+1)  ·           ·",
        "",
        "FINDINGS",
        "+ new  error[undisposed]  9tb1pb  request  App/Model.swift:57  bind()",
        "  still active after 800 ms",
        "    #2 · since 200 ms · 1 element",
        "      made for #1 results (App/Model.swift:42)",
        #"      NEWLOG:6  next at 300 ms: ["a"]"#,
        "    fix: Dispose it with its owner, as in .dispose(in: bag), or declare lifetime: "
          + ".process.",
        "",
        "1 new error",
      ])
  }

  @Test("A fixed finding is shown and doesn't fail the comparison")
  func better() {
    let result = diff(SampleLog.leak, SampleLog.clean)
    #expect(result.code == .clean)
    #expect(result.out.contains("- settings  1 → 0 (-1)"))
    #expect(result.out.contains("- fixed  error[undisposed]  9tb1pb  request  App/Model.swift:57"))
    #expect(result.lines.last == "no new errors, 1 fixed")
  }

  @Test("Only the additional findings of a place are new")
  func more() {
    func leaks(_ count: Int) -> String {
      SampleLog.make((1...count).map { SampleLog.subscribe($0, "feed", at: $0, #","parent":99"#) })
    }
    let result = diff(leaks(1), leaks(2))
    #expect(result.code == .findings)
    #expect(result.lines.last == "no new errors, 1 error with more subscriptions")
    #expect(result.out.contains("+ more: 1 subscription before, 2 now  error[undisposed]"))
    #expect(diff(leaks(2), leaks(1)).code == .clean)
  }

  @Test("Logs that prove nothing make a comparison inconclusive unless a new finding is proven")
  func doubts() {
    let died = diff(SampleLog.clean, SampleLog.died)
    #expect(died.code == .inconclusive)
    #expect(
      died.lines.last
        == "no new errors, 1 new unproven finding; inconclusive: NEWLOG: the process did not"
        + " write the end of its log")
    #expect(diff(SampleLog.died, SampleLog.clean).code == .inconclusive)
    // The old log is incomplete, so it may have had the same leaks.
    let lost = SampleLog.make([#"{"t":5,"event":"lost","count":3,"reason":"disk full"}"#])
    #expect(diff(lost, SampleLog.leak).code == .findings)
  }

  @Test(
    "Lifetimes are longer or shorter only if the difference is clear",
    arguments: [
      ([10 * ms, 10 * ms, 10 * ms], [13 * ms, 13 * ms, 13 * ms], "longer"),
      ([13 * ms, 13 * ms, 13 * ms], [9 * ms, 9 * ms, 9 * ms], "shorter"),
      ([10 * ms], [12 * ms], nil),
      // The change exceeds a quarter, but both lifetimes are tiny.
      ([1000], [900_000], nil),
      // A single slow subscription doesn't change the median.
      ([10 * ms, 10 * ms, 10 * ms], [10 * ms, 10 * ms, 900 * ms], nil),
    ] as [([Int], [Int], String?)])
  func lives(old: [Int], new: [Int], expected: String?) {
    let result = diff(log(lives: old), log(lives: new), "--format=json")
    let said = ["longer", "shorter"].filter { result.out.contains(#""life": "\#($0)""#) }
    #expect(said == [expected].compactMap(\.self))
    #expect(result.out.contains(#""unchangedLanes": \#(expected == nil ? 1 : 0),"#))
    #expect(result.code == .clean)
  }

  @Test("A comparison can be limited to lanes")
  func lanes() {
    let result = diff(SampleLog.clean, SampleLog.leak, "--lane=res*")
    #expect(result.code == .clean)
    #expect(!result.out.contains("request"))
    #expect(result.out.contains("1 → 0 (-1)"))
    #expect(diff(SampleLog.clean, SampleLog.leak, "--lane=res*", "--lane=req*").code == .findings)
  }

  @Test("A lane that neither log has is an error")
  func unknownLane() {
    let result = diff(SampleLog.clean, SampleLog.leak, "--lane=request", "--lane=setings")
    #expect(result.code == .usage)
    #expect(
      result.error.contains(
        "Invalid value 'setings' for '--lane'. It must be the name of a lane, in which * and ? are"
          + " wildcards. Did you mean 'settings'? The lanes are: request, results, settings."))
    #expect(result.out.isEmpty)
    #expect(diff(SampleLog.clean, SampleLog.leak, "--lane=x*").code == .usage)
    // Only one of the logs has this lane.
    #expect(diff(SampleLog.clean, SampleLog.leak, "--lane=settings").code == .clean)
  }

  @Test("A comparison shows when the logs were started")
  func started() {
    #expect(diff(SampleLog.clean, SampleLog.leak).out.contains("started 2026-11-20 23:48:50 UTC"))
  }

  @Test("A comparison in the wrong order of time says so")
  func reversed() {
    let later = SampleLog.ofAnother(SampleLog.leak, process: 77, secondsLater: 5)
    let words = "The old log was started after the new one."
    #expect(diff(later, SampleLog.clean).out.contains(words))
    #expect(!diff(SampleLog.clean, later).out.contains(words))
  }

  @Test("A lane with several places has a row for each, with its place")
  func places() {
    func lives(_ lines: Int...) -> String {
      SampleLog.make(
        lines.enumerated().flatMap { index, line in
          [
            SampleLog.subscribe(index + 1, "request", at: index, line: line),
            SampleLog.end("completed", index + 1, "request", at: index + Self.ms),
          ]
        })
    }
    let (old, new) = (lives(5, 8), lives(5, 8, 8, 9))
    let result = diff(old, new)
    #expect(result.out.contains("\n  request (Model.swift:8)  1 → 2 (+1)"))
    #expect(result.out.contains("\n+ request (Model.swift:9)  0 → 1 (+1)"))
    #expect(result.out.contains("1 lane unchanged"))
    #expect(diff(old, new, "-f", "markdown").out.contains("| request (Model.swift:9) | new |"))
    #expect(
      diff(old, new, "-f", "json").out.contains(
        #""source": {"old": null, "new": "App/Model.swift:9"}"#))
    // A single place isn't worth the room.
    #expect(diff(lives(5), lives(6, 6)).out.contains("\n  request  1 → 2 (+1)"))
  }

  @Test("A comparison uses the same settings as a check")
  func settings() {
    #expect(diff(SampleLog.clean, SampleLog.leak, "--rule=undisposed=off").code == .clean)
    #expect(diff(SampleLog.clean, SampleLog.leak, "--rule=undisposed=warning").code == .clean)
    #expect(
      diff(SampleLog.clean, SampleLog.leak, "--rule=undisposed=warning").lines.last
        == "no new errors, 1 new warning")
    #expect(diff(SampleLog.clean, SampleLog.leak, "--allow=request").lines.last == "no new errors")
    let strict = TemporaryFile(#"{ "failOn": "warning", "rules": { "undisposed": "warning" } }"#)
    #expect(diff(SampleLog.clean, SampleLog.leak, "--config=\(strict.path)").code == .findings)
    let wrong = TemporaryFile("{")
    #expect(diff(SampleLog.clean, SampleLog.leak, "--config=\(wrong.path)").code == .usage)
  }

  @Test("A comparison can be written as JSON with a version and a fixed order")
  func json() {
    let result = diff(SampleLog.clean, SampleLog.leak, "-f", "json")
    #expect(result.code == .findings)
    #expect(
      result.out.hasPrefix(
        """
        {
          "format": "trace-viewer-diff",
          "version": 2,
          "outcome": "findings",
          "old": {
            "name": "OLDLOG",
            "process": "search-sample",
        """))
    #expect(
      result.out.contains(
        """
            {
              "lane": "request",
              "change": "changed",
              "source": {"old": "App/Model.swift:57", "new": "App/Model.swift:57"},
              "subscriptions": {"old": 1, "new": 2},
              "active": {"old": 0, "new": 1},
              "failed": {"old": 0, "new": 1},
              "elements": {"old": 1, "new": 1},
              "medianLife": {"old": 200000000, "new": 200000000},
              "life": null
            }
        """))
    #expect(result.out.contains(#""counts": {"old": 0, "new": 1}"#))
  }

  @Test("A comparison in Markdown escapes text from the logs")
  func markdown() {
    let hostile = log(lives: [1], lane: "a|b`c<img>\\u001b[31m\\u202e")
    let result = diff(SampleLog.clean, hostile, "--format=markdown")
    #expect(result.out.contains(#"| a\|b\`c&lt;img&gt;^\[\[31m&lt;U+202E&gt; | new | 0 → 1 |"#))
    #expect(!result.out.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
    #expect(
      diff(SampleLog.clean, SampleLog.leak, "-f", "markdown").out.contains(
        #"""
        | new | error: undisposed | 9tb1pb | request | App/Model.swift:57 | still active after 800
        """#
      ))
  }

  @Test("A comparison shows hostile text safely and fits any width", arguments: [10, 30, 60, 100])
  func widths(width: Int) {
    let hostile = log(lives: [1], lane: "\\u001b]0;x\\u0007::error::\\u202e漢字漢字漢字漢字")
    let (before, after) = (TemporaryFile(SampleLog.leak), TemporaryFile(hostile))
    for lines in [
      run("diff", before.path, after.path, columns: width).lines,
      run("diff", "--ascii", before.path, after.path, columns: width).lines,
    ] {
      // The verdict is never broken into lines.
      #expect(lines.dropLast().allSatisfy { DisplayWidth.columns(of: $0) <= width })
      #expect(
        lines.allSatisfy { line in
          line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202E}" }
        })
    }
  }

  @Test("An unreadable log is an error, and damage is one with --strict")
  func unreadable() {
    let clean = TemporaryFile(SampleLog.clean)
    #expect(run("diff", clean.path, "/nonexistent/a").code == .cannotOpen)
    let none = TemporaryFile("nothing\n")
    #expect(run("diff", none.path, clean.path).code == .notALog)
    let damaged = TemporaryFile(SampleLog.clean + "nonsense\n")
    #expect(run("diff", clean.path, damaged.path).code == .clean)
    #expect(run("diff", "--strict", clean.path, damaged.path).code == .notALog)
    #expect(run("diff", clean.path).code == .usage)
    #expect(run("diff", clean.path, clean.path, clean.path).code == .usage)
  }
}
