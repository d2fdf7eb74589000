import SystemLibrary
import TestSupport
import Testing

@testable import TraceWords
@testable import ViewerConsole

@Suite("trace-viewer check")
struct CheckCommandTests {
  /// A log with two simultaneous subscriptions in lane `a`, an element on a thread other than the
  /// main one, and a released subscription, which is a warning.
  private static let warnings = SampleLog.make([
    SampleLog.subscribe(1, "a", at: 1), SampleLog.subscribe(2, "a", at: 2, line: 43),
    SampleLog.next(1, "a", at: 3, "x"), SampleLog.end("disposed", 2, "a", at: 4),
    SampleLog.end("released", 1, "a", at: 5),
  ])

  private func codes(_ text: String, _ options: [String]...) -> [ExitCode] {
    let log = TemporaryFile(text)
    return options.map { run(["check"] + $0 + [log.path]).code }
  }

  @Test("A check fails for findings of the requested level or above")
  func failOn() {
    #expect(
      codes(SampleLog.leak, [], ["--fail-on=error"], ["--fail-on=warning"], ["--fail-on=any"])
        == [.findings, .findings, .findings, .findings])
    #expect(
      codes(Self.warnings, [], ["--fail-on=warning"], ["--fail-on=any"])
        == [.clean, .findings, .findings])
    #expect(
      codes(SampleLog.died, [], ["--fail-on=warning"], ["--fail-on=any"])
        == [.inconclusive, .inconclusive, .findings])
  }

  @Test("Options change the rules of a check")
  func rules() {
    #expect(
      codes(
        SampleLog.leak, ["--rule=undisposed=off"], ["--rule=undisposed=warning"],
        ["--rule=undisposed=warning", "--fail-on=warning"],
        ["--rule=undisposed=off", "--rule=undisposed=error"])
        == [.clean, .clean, .findings, .findings])
    #expect(codes(Self.warnings, ["--rule=abandoned=error"]) == [.findings])
    #expect(
      codes(
        Self.warnings, ["--max-active=a=1"], ["--max-active=a=2"], ["--max-active=b=0"],
        ["--max-active=*=1", "--max-active=a=2"]) == [.findings, .clean, .clean, .clean])
    let main = TemporaryFile(Self.warnings)
    #expect(run("check", "--main=a", main.path).lines.last?.contains("1 off-main") == true)
    #expect(run("check", "--main=b", main.path).lines.last?.contains("off-main") == false)
  }

  @Test("Allowed findings don't fail a check, and their number is printed")
  func allowed() {
    let log = TemporaryFile(SampleLog.leak)
    for options in [
      ["--allow=request"], ["--allow=re*"], ["--allow-source=App/Model.swift"],
      ["--allow=request", "--allow-source=*:57"],
    ] {
      let result = run(["check"] + options + [log.path])
      #expect(result.code == .clean)
      #expect(
        result.lines == [
          "1 finding ignored, allowed by settings", "no undisposed subscriptions",
        ])
    }
    #expect(
      codes(SampleLog.leak, ["--allow=results"], ["--allow=request", "--allow-source=*:42"])
        == [.findings, .findings])
  }

  @Test("A check reads a settings file and reports errors in it")
  func settings() {
    let log = TemporaryFile(SampleLog.leak)
    let directory = TemporaryDirectory([".trace-viewer.json": #"{"allow": ["request"]}"#])
    #expect(run("check", log.path, directory: directory.path).code == .clean)
    #expect(run("check", "--no-config", log.path, directory: directory.path).code == .findings)
    directory.write("{\n\"alow\": []}", to: ".trace-viewer.json")
    let wrong = run("check", log.path, directory: directory.path)
    #expect(wrong.code == .usage)
    #expect(
      wrong.error == """
        Error: \(directory.path)/.trace-viewer.json:2: '.alow' is not a known key (line 2). Did \
        you mean 'allow'? Known: $schema, failOn, rules, maxActive, allow, main, baseline.

        """)
    #expect(run("check", "--config=/nonexistent", log.path).code == .cannotOpen)
    let threshold = run("check", "--rule=growth.mim=1", log.path)
    #expect(threshold.code == .usage)
    #expect(threshold.error.contains("See 'trace-viewer check --help'"))
  }

  @Test("A check with --strict fails if the log is damaged")
  func strict() {
    var lines = SampleLog.leak.split(separator: "\n").map(String.init)
    lines.insert("printed by the program", at: 3)
    #expect(codes(lines.joined(separator: "\n"), [], ["--strict"]) == [.findings, .notALog])
  }

  @Test("A check writes any format to standard output or to files")
  func outputs() {
    let log = TemporaryFile(SampleLog.leak)
    let directory = TemporaryDirectory()
    let text = run("check", log.path).out
    for format in CheckFormat.allCases {
      let printed = run("check", "--format", format.rawValue, log.path)
      #expect(printed.code == .findings)
      let path = "\(directory.path)/\(format.rawValue).out"
      let written = run("check", "-o", "\(format.rawValue):\(path)", log.path)
      #expect(written.code == .findings)
      #expect(written.out == text)
      #expect(directory.text("\(format.rawValue).out") == printed.out)
      #expect(run("check", "-o", "\(format.rawValue):-", log.path).out == printed.out)
    }
    let both = run(
      "check", "-o", "json:\(directory.path)/a", "-o", "junit:\(directory.path)/b", "-f", "gitlab",
      log.path)
    #expect(both.out.hasPrefix("["))
    #expect(directory.text("a")?.hasPrefix("{") == true)
    #expect(directory.text("b")?.hasPrefix("<?xml") == true)
  }

  @Test("Files that a check writes don't have colors")
  func plainFiles() {
    let log = TemporaryFile(SampleLog.leak)
    let directory = TemporaryDirectory()
    _ = run("check", "--color=always", "-o", "text:\(directory.path)/a", log.path)
    #expect(directory.text("a")?.contains("\u{1B}") == false)
    #expect(directory.text("a")?.hasSuffix("1 undisposed subscription\n") == true)
  }

  @Test("A file that can't be written is an error, and the other files are written")
  func unwritable() {
    let log = TemporaryFile(SampleLog.leak)
    let directory = TemporaryDirectory()
    let result = run(
      "check", "-o", "json:/nonexistent/a", "-o", "json:\(directory.path)/b", log.path)
    #expect(result.code == .cannotWrite)
    #expect(
      result.error.hasPrefix(
        "Error: /nonexistent/a: The file cannot be written: No such file or directory.\nNext: "))
    #expect(directory.text("b") != nil)
  }

  @Test("A full disk is an error", .enabled(if: access("/dev/full", W_OK) == 0))
  func fullDisk() {
    let log = TemporaryFile(SampleLog.clean)
    let result = run("check", "-o", "sarif:/dev/full", log.path)
    #expect(result.code == .cannotWrite)
    #expect(
      result.error == "Error: /dev/full: The file cannot be written: No space left on device.\n")
  }

  @Test("A check never overwrites a log or the baseline")
  func overwriting() {
    let directory = TemporaryDirectory([
      "run.jsonl": SampleLog.leak,
      "known.json": #"{"format": "trace-viewer-baseline", "version": 1, "findings": []}"#,
    ])
    let (log, known) = ("\(directory.path)/run.jsonl", "\(directory.path)/known.json")
    for path in [log, directory.path + "/./run.jsonl", known] {
      #expect(run("check", "-o", "json:\(path)", "--baseline=\(known)", log).code == .usage)
    }
    #expect(directory.text("run.jsonl") == SampleLog.leak)
  }

  @Test("A check never overwrites its settings or a baseline that it will write")
  func overwritingSettings() {
    let settings = #"{"failOn": "any"}"#
    let directory = TemporaryDirectory([
      "run.jsonl": SampleLog.leak, "c.json": settings, ".trace-viewer.json": settings,
    ])
    let path = directory.path
    for (config, output) in [
      ("--config=\(path)/c.json", "c.json"), ("--ascii", ".trace-viewer.json"),
      ("--baseline=\(path)/new.json", "./new.json"),
    ] {
      let result = run(
        ["check", config, "-o", "json:\(path)/\(output)", "\(path)/run.jsonl"]
          + (config.contains("baseline") ? ["--write-baseline"] : []), directory: path)
      #expect(result.code == .usage, "\(output)")
      #expect(result.error.contains("The report would overwrite"), "\(output)")
    }
    #expect(directory.text("c.json") == settings)
    #expect(directory.text(".trace-viewer.json") == settings)
    #expect(directory.text("new.json") == nil)
  }

  @Test("A strict check reports damage in every format")
  func strictReports() {
    var lines = SampleLog.clean.split(separator: "\n").map(String.init)
    lines.append(SampleLog.next(1, "results", at: 1_000_000_000, "late"))
    let log = TemporaryFile(lines.joined(separator: "\n") + "\n")
    for format in CheckFormat.allCases where format != .text {
      let strict = run("check", "--strict", "-f", format.rawValue, log.path)
      #expect(strict.code == .notALog)
      #expect(
        strict.out.contains("The log is damaged: 1 record after the end of the log."),
        "\(format)")
      let plain = run("check", "-f", format.rawValue, log.path)
      #expect(!plain.out.contains("The log is damaged"), "\(format)")
    }
    let json = run("check", "--strict", "-f", "json", log.path)
    #expect(json.out.contains(#""sentence": "1 file is damaged; of what was read: "#))
    let junit = run("check", "--strict", "-f", "junit", log.path)
    #expect(junit.out.contains(#"<error type="damaged""#))
    let both = run("check", "--strict", "-f", "json", log.path, "/nonexistent/a")
    #expect(both.out.contains("1 file could not be read, 1 file is damaged; of the others: "))
  }

  @Test("A check reports unreadable logs in every format")
  func unreadable() {
    let clean = TemporaryFile(SampleLog.clean)
    for format in CheckFormat.allCases where format != .text {
      let name = format.rawValue
      let some = run("check", "-f", name, clean.path, "/nonexistent/a.jsonl")
      #expect(some.code == .cannotOpen)
      #expect(some.out.contains("/nonexistent/a.jsonl"), "\(name)")
      let none = run("check", "-f", name, "/nonexistent/a.jsonl")
      #expect(none.code == .cannotOpen)
      #expect(none.out.contains("/nonexistent/a.jsonl"), "\(name)")
      #expect(!none.out.contains(VerdictView.clean), "\(name)")
    }
    #expect(run("check", "/nonexistent/a.jsonl").out.isEmpty)
  }
}
