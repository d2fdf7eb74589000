import TestSupport
import Testing

@testable import ViewerConsole

/// Tests for the options that choose a part of a log.
@Suite("Filters of a report")
struct ReportFilterTests {
  private static let ms = 1_000_000

  /// Subscriptions 1 and 2 in lane `feed`, 3 in `login`, 4 in `login.request`, made for 3.
  private static let log = SampleLog.make([
    #"{"t":1,"event":"thread","thread":1,"name":"main"}"#,
    #"{"t":2,"event":"thread","thread":2,"name":"worker"}"#,
    SampleLog.subscribe(1, "feed", at: 0),
    SampleLog.next(1, "feed", at: 50 * ms, "hello"),
    SampleLog.next(1, "feed", at: 60 * ms, "again"),
    SampleLog.end("completed", 1, "feed", at: 100 * ms),
    #"{"t":200000000,"event":"mark","name":"second half"}"#,
    #"{"t":210000000,"event":"scope-begin","scope":7,"name":"screen"}"#,
    SampleLog.subscribe(2, "feed", at: 250 * ms, #","scope":7"#),
    SampleLog.subscribe(3, "login", at: 300 * ms, line: 57),
    SampleLog.subscribe(4, "login.request", at: 310 * ms, line: 58, #","parent":3"#),
    #"{"t":320000000,"event":"next","sub":4,"lane":"login.request","value":"hello 42","thread":1}"#,
    SampleLog.end("failed", 4, "login.request", at: 400 * ms),
    #"{"t":500000000,"event":"mark","name":"second half"}"#,
    SampleLog.end("disposed", 2, "feed", at: 600 * ms),
    #"{"t":610000000,"event":"scope-end","scope":7}"#,
  ])

  private let file = TemporaryFile(log)

  private func shown(_ arguments: String...) -> String {
    let result = run([file.path] + arguments)
    #expect(result.code == .clean)
    return result.lines.first { $0.hasPrefix("shown: ") } ?? "all"
  }

  @Test(
    "A subscription must match one filter of each kind",
    arguments: [
      (["--lane=feed"], 2), (["--lane=login*"], 2), (["--lane=feed", "--lane=login"], 3),
      (["--state=active"], 1), (["--state=failed", "--state=disposed"], 2),
      (["--lane=login*", "--state=failed"], 1), (["--lane=feed", "--state=failed"], 0),
      (["--scope=screen"], 1), (["--scope=7"], 1),
      (["--thread=worker"], 1), (["--thread=9"], 0),
      (["--value=/^hello$/"], 1), (["--value=/h.llo/"], 2), (["--value=/\\d+/"], 1),
      (["--value=HELLO"], 0), (["--value=lo 4"], 1), (["--filter=hello or state:active"], 3),
      (["--filter=rule:undisposed"], 1), (["--filter=feed", "--state=completed"], 1),
      (["--value=hello", "--thread=worker"], 1), (["--from=220ms"], 3), (["--to=0.1s"], 1),
      (["--from=0.3", "--to=300ms"], 2), (["--from=second half"], 3),
      (["--from=420ms", "--to=second half"], 2), (["--to=second half"], 1),
    ])
  func choosing(options: [String], count: Int) {
    let result = run([file.path] + options)
    #expect(result.code == .clean)
    let line = result.lines.first { $0.hasPrefix("shown: ") } ?? ""
    #expect(line.hasPrefix("shown: \(count) of 4 subscriptions"))
  }

  @Test("A report says what its filters hide, if anything")
  func sentence() {
    #expect(shown() == "all")
    #expect(shown("--lane=*") == "all")
    // All subscriptions begin on the main thread.
    #expect(shown("--thread=main") == "all" && shown("--thread=1") == "all")
    #expect(shown("--lane=login") == "shown: 1 of 4 subscriptions and 1 of 1 finding")
    #expect(
      shown("--from=second half", "--to=450ms")
        == "shown: 3 of 4 subscriptions and 1 of 1 finding, alive between 200 ms and 450 ms")
  }

  @Test("A time range limits the axis and clips the bars")
  func window() {
    let lines = run([file.path, "--from=50ms", "--to=350ms", "--ascii"], columns: 40).lines
    let axis = lines.firstIndex { $0.hasPrefix("TIMELINE") } ?? 0
    #expect(
      lines[axis..<axis + 5] == [
        "TIMELINE                   200 ms",
        "              -------------+------------",
        "feed          O---|        :   +--------",
        "login                      :       +---!",
        "- lo...quest               :        +o--",
      ])
  }

  @Test("The times of a short range have the digits that distinguish them")
  func precision() throws {
    let lines = run([file.path, "--from=50ms", "--to=50.001ms", "--ascii"], columns: 120).lines
    let axis = try #require(lines.first { $0.hasPrefix("TIMELINE") })
    let times = axis.split(separator: " ").filter { $0.first?.isNumber ?? false }
    #expect(times.count > 2)
    #expect(Set(times).count == times.count, "\(axis)")
    let shown = try #require(lines.first { $0.hasPrefix("shown: ") })
    let ends = shown.split(separator: "alive between ").last?.split(separator: " and ") ?? []
    #expect(ends.count == 2 && ends.first != ends.last, "\(shown)")
  }

  @Test("A lane is nested under its nearest ancestor that matches")
  func nesting() {
    let lines = run([file.path, "--lane=login.request"]).lines
    #expect(lines.contains { $0.hasPrefix("login.request ") })
    #expect(!lines.contains { $0.hasPrefix("login ") })
  }

  @Test("The lifecycle table can be sorted and limited")
  func order() {
    func lanes(_ arguments: String...) -> [String] {
      let lines = run([file.path] + arguments).lines
      let table = lines.firstIndex { $0.hasPrefix("LANE") } ?? 0
      return lines[(table + 1)...].prefix { !$0.isEmpty }
        .compactMap { $0.split(separator: " ").first.map(String.init) }
    }
    #expect(lanes("--sort=lane") == ["feed", "login", "login.request", "total"])
    #expect(lanes("--sort=life") == ["login", "feed", "login.request", "total"])
    #expect(lanes("--sort=elements") == ["feed", "login.request", "login", "total"])
    #expect(lanes("--sort=time", "--limit=1") == ["feed", "+2", "total"])
    #expect(lanes("--limit=0").count == 4)
  }

  @Test(
    "An invalid value of a filter is an error that lists the valid values",
    arguments: [
      (
        "--from=half",
        "Invalid value 'half' for '--from'. It must be a time, such as 1.5s or 300ms, or"
      ),
      ("--to=secnd half", "Did you mean 'second half'? The marks are: second half."),
      ("--scope=scren", "Did you mean 'screen'? The scopes are: screen."),
      ("--thread=wroker", "The named threads are: main, worker."),
      (
        "--value=/(/",
        "Invalid value '/(/' for '--value'. '(' at character 1 is not a regular expression: "
          + "expected ')'."
      ),
    ])
  func mistakes(option: String, sentence: String) {
    let result = run([file.path, option])
    #expect(result.code == .usage)
    #expect(result.error.contains(sentence))
    #expect(result.out.isEmpty)
  }

  @Test("A report applies the project's settings and the options of check")
  func settings() {
    func findings(_ options: String...) -> String {
      run([file.path] + options).lines.first { $0.hasPrefix("FINDINGS") } ?? ""
    }
    #expect(findings() == "FINDINGS  1 finding: 1 undisposed subscription")
    #expect(findings("--allow=login") == "FINDINGS  no undisposed subscriptions")
    #expect(findings("--rule=undisposed=off") == "FINDINGS  no findings; undisposed is off")
    #expect(findings("--allow=login", "--main=feed").hasSuffix("; 1 finding: 1 off-main"))
    let config = TemporaryFile(#"{"allow": ["login"]}"#)
    #expect(findings("--config=\(config.path)") == "FINDINGS  no undisposed subscriptions")
    #expect(run(file.path, "--rule=nothing=off").code == .usage)
  }

  @Test("A time range that ends before it begins is an error")
  func emptyTime() {
    let result = run([file.path, "--from=2s", "--to=1s"])
    #expect(result.code == .usage)
    #expect(result.error.contains("'--until' is before '--from'"))
  }
}
