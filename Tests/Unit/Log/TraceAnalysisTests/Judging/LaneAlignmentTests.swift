import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("Lanes of two logs")
struct LaneAlignmentTests {
  private static func log(_ lines: [String]) throws -> LogAnalysis {
    try LogAnalysis.read(LogSource(name: "x.jsonl", bytes: Array(SampleLog.make(lines).utf8)))
  }

  private static func comparison(_ old: LogAnalysis, _ new: LogAnalysis) -> LogComparison {
    LogComparison(old: (old, Verdict(old)), new: (new, Verdict(new)))
  }

  /// Returns the pairs of places, such as `request 5 8`, with `-` for a lane that a log lacks.
  private func pairs(_ old: [String], _ new: [String]) throws -> [String] {
    let comparison = Self.comparison(try Self.log(old), try Self.log(new))
    return (comparison.lanes + comparison.sameLanes).map { lane in
      let places = [lane.before, lane.after].map { placed -> String in
        guard let placed else { return "-" }
        return placed.site.source.map { $0.replacing("App/Model.swift:", with: "") } ?? "?"
      }
      return "\(lane.name) \(places.joined(separator: " "))\(lane.hasNamesake ? " *" : "")"
    }.sorted()
  }

  private func lane(
    _ id: Int, _ name: String, _ line: Int, file: String = "App/Model.swift",
    function: String = "bind()"
  ) -> String {
    SampleLog.subscribe(id, name, at: id, line: line)
      .replacing("App/Model.swift", with: file).replacing("bind()", with: function)
  }

  @Test("A lane with one place in each log is one lane, wherever the place moves")
  func moved() throws {
    #expect(try pairs([lane(1, "a", 5)], [lane(1, "a", 5)]) == ["a 5 5"])
    #expect(try pairs([lane(1, "a", 5)], [lane(1, "a", 9)]) == ["a 5 9"])
    #expect(
      try pairs([lane(1, "a", 5)], [lane(1, "a", 9, function: "other()")]) == ["a 5 9"])
    #expect(
      try pairs([lane(1, "a", 5)], [lane(1, "a", 5, file: "New.swift")]) == ["a 5 New.swift:5"])
  }

  @Test("A lane with several places is several lanes, and equal places come first")
  func several() throws {
    #expect(
      try pairs(
        [lane(1, "a", 5), lane(2, "a", 8)], [lane(1, "a", 8), lane(2, "a", 5)])
        == ["a 5 5 *", "a 8 8 *"])
    #expect(
      try pairs([lane(1, "a", 8)], [lane(1, "a", 5), lane(2, "a", 8)]) == ["a - 5 *", "a 8 8 *"])
  }

  @Test("Places that all moved are matched by their functions, and then in the order of lines")
  func lines() throws {
    #expect(
      try pairs(
        [lane(1, "a", 5), lane(2, "a", 8)], [lane(1, "a", 18), lane(2, "a", 15)])
        == ["a 5 15 *", "a 8 18 *"])
    #expect(
      try pairs(
        [lane(1, "a", 5, function: "x()"), lane(2, "a", 8, function: "y()")],
        [lane(1, "a", 15, function: "y()"), lane(2, "a", 18, function: "x()")])
        == ["a 5 18 *", "a 8 15 *"])
    #expect(
      try pairs([lane(1, "a", 5), lane(2, "a", 8)], [lane(1, "a", 15)])
        == ["a 5 15 *", "a 8 - *"])
  }

  @Test("Several places in other files aren't guessed")
  func files() throws {
    #expect(
      try pairs(
        [lane(1, "a", 5), lane(2, "a", 8)],
        [lane(1, "a", 5, file: "X.swift"), lane(2, "a", 8, file: "Y.swift")]
      ).count == 4)
  }

  @Test("Lanes with other names are never the same")
  func names() throws {
    #expect(try pairs([lane(1, "a", 5)], [lane(1, "b", 5)]) == ["a 5 -", "b - 5"])
  }

  @Test("Subscriptions without a beginning belong to the only place of their lane")
  func withoutPlace() throws {
    let end = SampleLog.end("completed", 9, "a", at: 50)
    let comparison = Self.comparison(
      try Self.log([lane(1, "a", 5)]), try Self.log([lane(1, "a", 5), end]))
    #expect(comparison.lanes.count + comparison.sameLanes.count == 1)
  }

  @Test("The lanes have every subscription once, and the numbers of their places")
  func sums() throws {
    let log = try Self.log(
      (1...60).map { lane($0, "lane\($0 % 7)", 10 + $0 % 4) })
    let placed = PlacedLane.all(of: log)
    #expect(placed.flatMap(\.members).sorted() == Array(0..<60))
    #expect(placed.count == 28)
    #expect(placed.reduce(0) { $0 + $1.summary.started } == 60)
    for lane in LaneSummary.lanes(of: log) {
      let parts = placed.filter { $0.name == lane.lane }
      #expect(parts.reduce(0) { $0 + $1.summary.started } == lane.started)
      #expect(parts.reduce(0) { $0 + $1.summary[.active] } == lane[.active])
    }
  }

  // MARK: Rows

  private func rows(_ old: [String], _ new: [String]) throws -> [String] {
    let (old, new) = (try Self.log(old), try Self.log(new))
    return Self.comparison(old, new).rows(old, new).map { row in
      let kinds = row.findings.map(\.kind.rawValue).joined(separator: " ")
      return "\(row.lane?.name ?? "-") \(row.change)\(kinds.isEmpty ? "" : " (\(kinds))")"
    }
  }

  private func life(_ id: Int, _ name: String, _ end: String = "completed") -> [String] {
    [lane(id, name, id), SampleLog.end(end, id, name, at: 100 + id)]
  }

  @Test("Rows are ordered by how they differ")
  func order() throws {
    let old = [
      life(1, "same"), life(2, "changed"), life(3, "gone"), [lane(4, "fixed", 4)],
      life(5, "leak"), life(6, "failing"), [lane(7, "still", 7)],
    ]
    let new = [
      life(1, "same"), life(2, "changed"), [lane(12, "changed", 2)], life(13, "new"),
      life(4, "fixed"), [lane(5, "leak", 5)], life(6, "failing", "failed"),
      [lane(7, "still", 7), SampleLog.end("completed", 12, "changed", at: 500)],
    ]
    #expect(
      try rows(old.flatMap(\.self), new.flatMap(\.self)) == [
        "leak worse (new)", "failing worse", "fixed better (fixed)", "new new", "gone gone",
        "changed changed", "still same (same)", "same same",
      ])
  }

  @Test("Identical logs have the same rows, and nothing that differs")
  func identical() throws {
    let lines = life(1, "a") + [lane(2, "b", 2)]
    #expect(try rows(lines, lines) == ["b same (same)", "a same"])
    #expect(try rows([], []) == [])
  }

  @Test("A finding that joins lanes belongs to each of them")
  func joined() throws {
    let leaks = [lane(1, "a", 1), lane(2, "b", 2)]
    let cycle = [1, 2].map { RetainedLog.retained($0, at: 50, path: ["x", "y"]) }
    #expect(
      try rows(life(1, "a") + life(2, "b"), leaks + cycle) == ["a worse (new)", "b worse (new)"])
  }

  @Test("Only more failures change a lane, too")
  func failures() throws {
    let (old, new) = (try Self.log(life(1, "a")), try Self.log(life(1, "a", "failed")))
    #expect(Self.comparison(old, new).lanes.map(\.name) == ["a"])
    #expect(Self.comparison(new, old).rows(new, old).map(\.change) == [.better])
  }

  @Test("Every finding without a lane has a row of its own")
  func objects() throws {
    let objects = try LogAnalysis.read(
      LogSource(name: "x.jsonl", bytes: Array(SampleLog.objects.utf8)))
    let clean = try Self.log(life(1, "a"))
    let comparison = Self.comparison(clean, objects)
    let rows = comparison.rows(clean, objects)
    #expect(rows.count { $0.lane == nil } == comparison.changes.count)
    #expect(rows.filter { $0.lane == nil }.allSatisfy { $0.change == .worse })
    #expect(rows.filter { $0.lane != nil }.map(\.change) == [.gone])
  }
}
