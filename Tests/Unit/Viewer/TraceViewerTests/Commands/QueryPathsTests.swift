import Foundation
import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat
@testable import TraceReports
@testable import TraceWords
@testable import ViewerConsole
@testable import trace_viewer

/// The same query selects the same subscriptions wherever it is typed.
@Suite("Paths of a query")
struct QueryPathsTests {
  /// Returns a log of some subscriptions with random lanes, values and ends.
  private static func log(_ random: inout FixedNumbers) -> String {
    var lines: [String] = []
    for number in 1...30 {
      let lane = ["feed", "login", "login.request"].randomElement(using: &random) ?? ""
      let time = number * 1_000_000
      lines.append(SampleLog.subscribe(number, lane, at: time, line: number % 5))
      for step in 0..<Int.random(in: 0..<4, using: &random) {
        let value = ["timeout", "Ada", "a b", "200"].randomElement(using: &random) ?? ""
        lines.append(SampleLog.next(number, lane, at: time + 1000 * (step + 1), value))
      }
      let end = ["failed", "completed", "disposed", nil].randomElement(using: &random) ?? nil
      if let end {
        let life = Int.random(in: 1...9, using: &random) * 100_000
        lines.append(SampleLog.end(end, number, lane, at: time + life))
      }
    }
    return SampleLog.make(lines, end: 40_000_000)
  }

  private static let terms = [
    "feed", "Ada", "timeout", "Timeout", "/^a/i", "/\\d+/", "\"a b\"", "value:ada", "value:/^A/",
    "error:time", "error:/OUT/i", "lane:login*", "lane:feed", "lane:/log/", "source:*:3",
    "state:failed", "state:active", "id:7", "#8", "rule:undisposed", "has:finding", "life>400us",
    "dur<=300us", "elements>1", "start<9ms", "alive:60%", "alive:12ms", "thread:2", "process:4242",
  ]

  private static func query(_ random: inout FixedNumbers, depth: Int = 0) -> String {
    let kind = Int.random(in: 0..<(depth > 2 ? 2 : 8), using: &random)
    func part() -> String { query(&random, depth: depth + 1) }
    return switch kind {
    case 0...2: terms.randomElement(using: &random) ?? ""
    case 3: part() + " " + part()
    case 4: part() + " and " + part()
    case 5: "(" + part() + " or " + part() + ")"
    case 6: "not (" + part() + ")"
    default: "-" + (terms.randomElement(using: &random) ?? "")
    }
  }

  @Test("200 random queries select the same in commands, in the view, and in the tools for agents")
  func same() throws {
    var random = FixedNumbers(seed: 47)
    let text = Self.log(&random)
    let file = TemporaryFile(text)
    let growing = GrowingLog(paths: [file.path], follows: false)
    var snapshot = LogSnapshot.empty
    while let next = try growing.advance() { snapshot = next }
    let whole = ViewedLog(snapshot, RuleSettings(), Arrangement())
    let all = Set(whole.log.lifecycles.map(\.id.number))
    var sizes: Set<Int> = []
    for _ in 0..<200 {
      let query = Self.query(&random)
      let reported = try Self.reported(query, file.path)
      sizes.insert(reported.count)
      #expect(try Self.exported(query, file.path) == reported, "\(query)")
      #expect(try Self.searched(query, file.path) == reported, "\(query)")
      var arrangement = Arrangement()
      arrangement.filter = try ViewFilter(query)
      let viewed = ViewedLog(snapshot, RuleSettings(), arrangement)
      #expect(Self.numbers(viewed.excerpt.members, viewed.log) == reported, "\(query)")
      #expect(whole.judged.count(arrangement.filter) { true } == reported.count, "\(query)")
      let found = SearchWorker.result(arrangement.filter.query, in: whole)
      #expect(Self.numbers(found.members.map { Int($0) }, whole.log) == reported, "\(query)")
      let others = try Self.reported("not (\(query))", file.path)
      #expect(others == all.subtracting(reported), "\(query)")
    }
    // The queries are worth comparing only if they differ.
    #expect(sizes.count > 15)
  }

  private static func numbers(_ members: some Sequence<Int>, _ log: LogAnalysis) -> Set<UInt64> {
    Set(members.map { log.lifecycles[$0].id.number })
  }

  private static func reported(_ query: String, _ path: String) throws -> Set<UInt64> {
    let result = run(["report", "-f", "json", "--no-config", "--filter=\(query)", path])
    #expect(result.code == .clean, "\(query): \(result.error)")
    let data = try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any]
    let rows = try #require(data?["subscriptions"] as? [[String: Any]])
    return Set(rows.compactMap { ($0["id"] as? Int).map { UInt64($0) } })
  }

  private static func exported(_ query: String, _ path: String) throws -> Set<UInt64> {
    let result = run(["export", "--to=csv", "--no-config", "--filter=\(query)", path])
    let lines = result.out.split(whereSeparator: \.isNewline).map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let column = try #require(lines.first?.firstIndex(of: "sub"))
    return Set(lines.dropFirst().compactMap { UInt64($0[column]) })
  }

  private static func searched(_ query: String, _ path: String) throws -> Set<UInt64> {
    let console = Console(
      out: .init(output: Output(descriptor: nil), isTerminal: false),
      error: .init(output: Output(descriptor: nil), isTerminal: false),
      environment: Environment([:]), terminalColumns: nil,
      fileExists: { FileManager.default.fileExists(atPath: $0) }, directory: "")
    let arguments = ["log": path, "query": query, "budget": 5000] as [String: Any]
    let json = try JSONSerialization.data(withJSONObject: arguments)
    let values = try JSONDocument(String(decoding: json, as: UTF8.self)).root
    let texts = try LogTools(console).run(ToolCall(LogTool.search.spec, values)).get()
    let data = try JSONSerialization.jsonObject(with: Data((texts.first ?? "").utf8))
    let rows = (data as? [String: Any])?["subscriptions"] as? [[String: Any]] ?? []
    return Set(rows.compactMap { ($0["id"] as? String).flatMap { UInt64($0.dropFirst()) } })
  }

  @Test("A check with a filter prints the findings about what it selects, and counts the others")
  func check() {
    let file = TemporaryFile(SampleLog.leak)
    let all = run(["check", "--no-config", file.path])
    #expect(all.code == .findings)
    let some = run(["check", "--no-config", "--filter=elements>0", file.path])
    #expect(some.out == all.out)
    let none = run(["check", "--no-config", "--filter=error:timeout", file.path])
    #expect(none.code == .clean)
    #expect(none.error.contains("'--filter' leaves out 1 finding."))
    let both = run(["check", "--filter=a", "--write-baseline", "--baseline=x", file.path])
    #expect(both.code == .usage)
  }

  @Test("A wrong query is an error that names the place", arguments: ["report", "check", "export"])
  func wrong(command: String) {
    let file = TemporaryFile(SampleLog.leak)
    let result = run([command, "--filter=lane:a state:busy", file.path])
    #expect(result.code == .usage)
    #expect(
      result.error.contains(
        "Invalid value 'lane:a state:busy' for '--filter'. Unknown state 'busy' at character 14."))
  }

  @Test("A text that looks like a regular expression and isn't found gets a hint")
  func hint() {
    let file = TemporaryFile(SampleLog.leak)
    let result = run([file.path, "--value=^a$"])
    #expect(result.error.contains("For a regular expression, write '--value=/^a$/'."))
    #expect(!run([file.path, "--value=a"]).error.contains("regular"))
  }
}
