import TestSupport
import Testing
import ViewerTestSupport

@testable import TraceAnalysis
@testable import TraceFormat
@testable import TraceReports
@testable import ViewerConsole

@Suite("JSON reports")
struct JSONReportTests {
  private func members(_ value: JSONValue) -> [(key: String, value: JSONValue)] {
    guard case .object(let members) = value.content else { return [] }
    return members.map { ($0.key, $0.value) }
  }

  private func keys(_ value: JSONValue) -> [String] {
    members(value).map(\.key)
  }

  private func member(_ value: JSONValue, _ path: String...) -> JSONValue.Content? {
    var current = value
    for key in path {
      guard let next = members(current).first(where: { $0.key == key }) else { return nil }
      current = next.value
    }
    return current.content
  }

  private func elements(_ value: JSONValue, _ key: String) -> [JSONValue] {
    guard case .array(let elements) = member(value, key) else { return [] }
    return elements
  }

  private func report(
    _ log: String, lanes: [String] = [], times: TimeRange = .always,
    _ options: ReportOptions = ReportOptions()
  ) throws -> JSONValue {
    let report = try writeReport(.json, of: log, lanes: lanes, times: times, options)
    #expect(report.code == .clean)
    return try JSONDocument(report.out).root
  }

  @Test("A JSON report has a format, a version and keys in a fixed order")
  func keys() throws {
    let root = try report(SampleLog.leak)
    #expect(
      keys(root) == [
        "format", "version", "duration", "shown", "outcome", "verdict", "logs", "marks", "scopes",
        "lanes", "subscriptions", "findings",
      ])
    #expect(member(root, "format") == .string("trace-viewer-report"))
    #expect(member(root, "version") == .integer(2))
    #expect(member(root, "duration") == .integer(1_000_000_000))
    #expect(member(root, "outcome") == .string("findings"))
    #expect(
      keys(elements(root, "logs")[0]) == [
        "names", "header", "start", "duration", "records", "subscriptions", "active", "end",
        "doubts", "damage",
      ])
  }

  @Test("Subscriptions in a JSON report omit keys whose values are unknown")
  func subscriptions() throws {
    let subscriptions = elements(try report(SampleLog.leak), "subscriptions")
    #expect(subscriptions.count == 4)
    #expect(
      keys(subscriptions[2]) == [
        "id", "log", "lane", "source", "function", "type", "parent", "start", "state", "elements",
        "allElements",
        "last",
      ])
    #expect(member(subscriptions[0], "lifetime") == .string("process"))
    #expect(member(subscriptions[3], "end") == .integer(600_000_000))
    #expect(member(subscriptions[2], "last", "text") == .string(#"["a"]"#))
    #expect(member(subscriptions[3], "last", "text") == .string("Timeout()"))
  }

  @Test("Findings in a JSON report have fingerprints and subscriptions")
  func findings() throws {
    let findings = elements(try report(SampleLog.leak), "findings")
    #expect(findings.count == 1)
    #expect(
      keys(findings[0]) == [
        "id", "rule", "level", "proven", "sentence", "lane", "source", "function", "type", "path",
        "line", "advice", "fingerprint", "subscriptions",
      ])
    #expect(member(findings[0], "proven") == .bool(true))
    #expect(member(findings[0], "sentence") == .string("still active after 800 ms"))
    #expect(member(elements(findings[0], "subscriptions")[0], "subscription") == .integer(2))
  }

  @Test("An inconclusive JSON report lists the reasons")
  func doubts() throws {
    let root = try report(SampleLog.died)
    let log = elements(root, "logs")[0]
    #expect(member(root, "outcome") == .string("inconclusive"))
    #expect(member(log, "end") == nil)
    #expect(member(elements(log, "doubts")[0], "kind") == .string("no-end"))
  }

  @Test("Filters, sorting and limits apply to a JSON report")
  func filters() throws {
    let part = try report(SampleLog.leak, lanes: ["request", "results"])
    #expect(elements(part, "subscriptions").count == 3)
    #expect(member(part, "shown", "subscriptions") == .integer(3))
    #expect(member(part, "shown", "allSubscriptions") == .integer(4))
    #expect(elements(part, "lanes").count == 2)
    let sorted = try report(SampleLog.leak, ReportOptions(order: .life, limit: 2))
    #expect(
      elements(sorted, "subscriptions").map { member($0, "id") } == [.integer(4), .integer(1)])
  }

  @Test("A JSON report limits marks and scopes to the time range and the shown subscriptions")
  func notes() throws {
    let log = SampleLog.make([
      #"{"t":100,"event":"mark","name":"early"}"#,
      #"{"t":100,"event":"scope-begin","scope":1,"name":"over"}"#,
      #"{"t":150,"event":"scope-end","scope":1}"#,
      #"{"t":160,"event":"scope-begin","scope":2,"name":"open"}"#,
      #"{"t":170,"event":"scope-begin","scope":3,"name":"used"}"#,
      SampleLog.subscribe(1, "a", at: 180, #","scope":3"#),
      #"{"t":190,"event":"scope-end","scope":3}"#,
      #"{"t":1000,"event":"mark","name":"first"}"#,
      #"{"t":2000,"event":"mark","name":"last"}"#,
      #"{"t":3000,"event":"mark","name":"late"}"#,
      #"{"t":3000,"event":"scope-begin","scope":4,"name":"future"}"#,
    ])
    func names(
      _ key: String, lanes: [String] = [], times: TimeRange = .always
    ) throws -> [JSONValue.Content?] {
      elements(try report(log, lanes: lanes, times: times), key).map { member($0, "name") }
    }
    let range = TimeRange(from: Nanoseconds(1000), through: Nanoseconds(2000))
    #expect(try names("marks", times: range) == [.string("first"), .string("last")])
    #expect(try names("scopes", times: range) == [.string("open"), .string("used")])
    let rest = TimeRange(from: Nanoseconds(1000), through: TimeRange.always.end)
    #expect(try names("scopes", lanes: ["b"], times: rest) == [.string("open"), .string("future")])
    #expect(try names("marks").count == 4)
    #expect(try names("scopes").count == 4)
  }

  @Test("A JSON report escapes text for a terminal without losing characters")
  func hostile() throws {
    let report = try writeReport(.json, of: HostileLog.text)
    #expect(!HostileLog.isObeyed(report.out))
    let root = try JSONDocument(report.out).root
    #expect(member(elements(root, "subscriptions")[0], "lane") == .string(HostileLog.harm))
    #expect(member(elements(root, "marks")[0], "name") == .string(HostileLog.harm))
  }
}
