import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Lanes")
struct LaneTreeTests {
  private func tree(_ lines: [String]) throws -> [String] {
    let tree = LaneTree(try analyze(lines.joined(separator: "\n")))
    return tree.inOrder.map { node in
      String(repeating: " ", count: tree.nodes[node].depth) + tree.nodes[node].lane
        + " \(tree.nodes[node].members.count)"
    }
  }

  private func line(_ id: Int, _ lane: String, parent: Int? = nil) -> String {
    SampleLog.subscribe(id, lane, at: id, parent.map { #","parent":\#($0)"# } ?? "")
  }

  @Test("A lane is nested under the lane it was made for")
  func nesting() throws {
    let lines = [
      line(1, "outer"), line(2, "inner", parent: 1), line(3, "other"), line(4, "inner", parent: 1),
      line(5, "deep", parent: 2), line(6, "inner"),
    ]
    #expect(try tree(lines) == ["outer 1", " inner 2", "  deep 1", "other 1", "inner 1"])
  }

  @Test("A lane that is nested under itself is one lane")
  func recursion() throws {
    let lines = [line(1, "a"), line(2, "b", parent: 1), line(3, "a", parent: 2)]
    #expect(try tree(lines) == ["a 2", " b 1"])
  }

  @Test("Parents that form a circle, point to themselves or don't exist are tolerated")
  func circles() throws {
    let lines = [
      line(1, "a", parent: 2), line(2, "b", parent: 1), line(3, "c", parent: 3),
      line(4, "d", parent: 99),
    ]
    #expect(try tree(lines) == ["b 1", " a 1", "c 1", "d 1"])
  }

  @Test("Lanes are nested only up to a maximum depth")
  func depth() throws {
    let lines = (1...50).map { line($0, "lane \($0)", parent: $0 - 1) }
    let tree = LaneTree(try analyze(lines.joined(separator: "\n")))
    #expect(tree.nodes.map(\.depth).max() == LaneTree.deepest)
    #expect(tree.inOrder.count == 50)
  }

  @Test("A lane summary counts states and measures lifetimes")
  func summary() throws {
    let log = try analyze(SampleLog.leak)
    let lanes = LaneSummary.lanes(of: log)
    #expect(lanes.map(\.lane) == ["settings", "results", "request"])
    #expect(lanes.map(\.started) == [1, 1, 2])
    #expect(lanes.map { $0[.active] } == [1, 0, 1])
    #expect(lanes.map { $0[.failed] } == [0, 0, 1])
    #expect(lanes.map(\.elements) == [0, 0, 1])
    #expect(lanes[0].lives == nil)
    #expect(lanes[2].lives?.median == Nanoseconds(200_000_000))
    let total = LaneSummary.total(of: ExcerptFigures(log), name: "total")
    #expect(total.started == 4)
    #expect(total.lives?.longest == Nanoseconds(800_000_000))
  }

  @Test("If there are too many lanes, lanes with active subscriptions are selected first")
  func selection() throws {
    var lines = (1...100).flatMap { id in
      [line(id, "lane \(id)"), SampleLog.end("disposed", id, "lane \(id)", at: id + 1)]
    }
    lines += [line(200, "outer"), SampleLog.end("disposed", 200, "outer", at: 201)]
    lines += [line(201, "inner", parent: 200)]
    let selection = LaneSelection(LogExcerpt(try analyze(SampleLog.make(lines))), limit: 5)
    #expect(selection.nodes.map(\.lane) == ["lane 1", "lane 2", "lane 3", "outer", "inner"])
    #expect(selection.hiddenLanes == 97)
    #expect(selection.hiddenSubscriptions == 97)
  }
}
