import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Findings of one line")
struct FindingGroupTests {
  private func log(_ lines: [String]) throws -> LogAnalysis {
    let file = LogSource(name: "x.jsonl", bytes: Array(SampleLog.make(lines).utf8))
    return try LogAnalysis.read(file)
  }

  private func groups(_ lines: [String]) throws -> [FindingGroup] {
    try Verdict(log(lines)).groups
  }

  private func leak(_ id: Int, _ lane: String, line: Int = 7, observed: Int? = nil) -> String {
    let place = observed.map { #","observed":"M/F.swift:\#($0)""# } ?? ""
    return SampleLog.subscribe(id, lane, at: id, line: line, place)
  }

  @Test("Leaks of one line are one finding, whatever their lanes are called")
  func lanes() throws {
    let found = try groups((1...90).map { leak($0, "cell \($0)", line: $0 % 3 + 1) })
    #expect(found.map(\.findings.count) == [30, 30, 30])
    #expect(found.map(\.lanes.count) == [30, 30, 30])
    #expect(found.map(\.lanes[0]) == found.map(\.site.lane))
  }

  @Test("A line that observes lanes of several lines has one finding")
  func observed() throws {
    let found = try groups((1...6).map { leak($0, "cell \($0)", line: $0, observed: 40) })
    #expect(found.map(\.findings.count) == [6])
    #expect(try groups([leak(1, "a", observed: 40), leak(2, "a", observed: 41)]).count == 2)
  }

  @Test("Lanes without a line are findings of their own")
  func withoutLines() throws {
    let lines = (1...3).map {
      #"{"t":\#($0),"event":"subscribe","sub":\#($0),"lane":"cell \#($0)","thread":1}"#
    }
    #expect(try groups(lines).count == 3)
  }

  @Test("Equal cycles of a line are one finding, although each has a lane of its own")
  func cycles() throws {
    let leaks = (1...4).map { leak($0, "cell \($0)", line: $0 % 2 + 1) }
    let cycles = (1...4).map { id in
      #"{"t":50,"event":"retained","sub":\#(id),"lane":"cell \#(id)","kind":"cycle","#
        + #""proof":"certain","steps":[{"kind":"field","type":"Cell","name":"bag"},"#
        + #"{"kind":"subscription","name":"cell \#(id)","sub":\#(id)}]}"#
    }
    let found = try groups(leaks + cycles)
    #expect(found.map(\.isCycle) == [true, true])
    #expect(found.map(\.findings.count) == [2, 2])
  }

  @Test("A leak without a known cause belongs to the cycle of another lane of its line")
  func openCycles() throws {
    let leaks = (1...3).map { leak($0, "cell \($0)", observed: 40) }
    let found = try groups(leaks + [RetainedLog.retained(1, at: 50, path: ["x", "y"])])
    #expect(found.map(\.findings.count) == [3])
    #expect(found.map(\.isCycle) == [true])
  }

  @Test("The id of a line with several lanes doesn't depend on their names")
  func ids() throws {
    let first = try groups([leak(1, "cell 1"), leak(2, "cell 2"), leak(3, "b", line: 9)])
    let next = try groups([leak(1, "cell 8"), leak(2, "cell 9"), leak(3, "b", line: 9)])
    #expect(first.map(\.id) == next.map(\.id))
    #expect(Set(first.map(\.id)).count == 2)
  }

  @Test("A part of a finding has only the lanes of its subscriptions")
  func parts() throws {
    let log = try log((1...5).map { leak($0, "cell \($0)") })
    let part = Verdict(log).groups(in: log) { $0.lifecycle > 2 }
    #expect(part.map(\.lanes) == [["cell 4", "cell 5"]])
  }

  @Test("A finding of several lanes in one run is the same as one of them in another")
  func comparison() throws {
    let (old, new) = try (log([leak(1, "a")]), log([leak(1, "a"), leak(2, "b")]))
    let comparison = LogComparison(old: (old, Verdict(old)), new: (new, Verdict(new)))
    #expect(comparison.changes.map(\.kind) == [.more])
    #expect(comparison.changes.map(\.added.count) == [1])
    let back = LogComparison(old: (new, Verdict(new)), new: (old, Verdict(old)))
    #expect(back.changes.map(\.kind) == [.fewer])
  }
}
