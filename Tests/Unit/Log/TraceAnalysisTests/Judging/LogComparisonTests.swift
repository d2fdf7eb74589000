import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Comparisons of findings")
struct LogComparisonTests {
  private func changes(_ old: [String], _ new: [String]) throws -> [String] {
    let sides = try [old, new].map { lines in
      try LogAnalysis.read(
        LogSource(name: "x.jsonl", bytes: Array(SampleLog.make(lines).utf8)))
    }
    let comparison = LogComparison(
      old: (sides[0], Verdict(sides[0])), new: (sides[1], Verdict(sides[1])))
    return comparison.changes.map { change in
      let line = change.group.observed?.line.map { ":\($0)" } ?? ""
      return "\(change.kind.rawValue) \(change.group.site.lane)\(line) \(change.old) \(change.new)"
    }
  }

  private func leak(_ id: Int, _ lane: String, observed: Int = 3) -> String {
    SampleLog.subscribe(id, lane, at: id, #","observed":"M/F.swift:\#(observed)""#)
  }

  private func cycle(_ ids: Int...) -> [String] {
    ids.map { RetainedLog.retained($0, at: 50, path: ["x", "y"]) }
  }

  @Test("A finding with other numbers of subscriptions isn't a new one")
  func numbers() throws {
    #expect(try changes([leak(1, "a")], [leak(1, "a"), leak(2, "a")]) == ["more a:3 1 2"])
    #expect(try changes([leak(1, "a"), leak(2, "a")], [leak(1, "a")]) == ["fewer a:3 2 1"])
    #expect(try changes([leak(1, "a")], [leak(1, "a", observed: 99)]) == [])
  }

  @Test("A second finding in the same function is new, and the first isn't")
  func sameFunction() throws {
    let two = [leak(1, "a"), leak(2, "a", observed: 9)]
    #expect(try changes([leak(1, "a")], two) == ["new a:9 0 1"])
    #expect(try changes(two, [leak(1, "a", observed: 9)]) == ["fixed a:3 1 0"])
  }

  @Test("A cycle that joins the findings of two lanes is neither new nor does it fix one")
  func joined() throws {
    let open = [leak(1, "a"), leak(2, "b")]
    #expect(try changes(open, open + cycle(1, 2)) == [])
    #expect(try changes(open + cycle(1, 2), open) == [])
    #expect(try changes(open + cycle(1, 2), [leak(1, "a")]) == ["fewer a:3 2 1"])
  }

  @Test("Findings that are worse come first")
  func order() throws {
    #expect(
      try changes([leak(1, "a")], [leak(1, "b")]) == ["new b:3 0 1", "fixed a:3 1 0"])
  }
}
