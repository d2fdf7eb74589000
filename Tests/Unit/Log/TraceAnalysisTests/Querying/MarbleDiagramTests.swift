import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("MarbleDiagram")
struct MarbleDiagramTests {
  private static let all = TimeRange.always

  private func diagram(
    _ text: String, _ window: TimeRange = all, limit: Int? = nil,
    lanes: Set<String>? = nil
  ) throws -> MarbleDiagram {
    try MarbleDiagram(try analyze(text), window: window, limit: limit) {
      lanes?.contains($0) ?? true
    }
  }

  private func numbers(_ diagram: MarbleDiagram, _ text: String) throws -> [String] {
    let log = try analyze(text)
    return diagram.rows.map { "\(log.lifecycles[$0.index].id) \($0.depth)" }
  }

  @Test("Rows are ordered by time, each below the subscription it was made for")
  func order() throws {
    let text = SampleLog.make([
      SampleLog.subscribe(1, "a", at: 10),
      SampleLog.subscribe(2, "b", at: 20),
      SampleLog.subscribe(3, "a.child", at: 30, #","parent":1"#),
      SampleLog.subscribe(4, "hidden", at: 40, #","parent":2"#),
      SampleLog.subscribe(5, "b.child", at: 50, #","parent":4"#),
      SampleLog.subscribe(6, "a.child", at: 25, #","parent":1"#),
    ])
    #expect(
      try numbers(diagram(text), text) == ["#1 0", "#6 1", "#3 1", "#2 0", "#4 1", "#5 2"])
    let some: Set = ["a", "b", "b.child"]
    #expect(try numbers(diagram(text, lanes: some), text) == ["#1 0", "#2 0", "#5 1"])
    let few = try diagram(text, limit: 2)
    #expect(try numbers(few, text) == ["#1 0", "#6 1"])
    #expect(few.hidden == 4)
  }

  @Test("Each subscription has one row, even if its parents form a circle")
  func circle() throws {
    let text = SampleLog.make([
      SampleLog.subscribe(1, "a", at: 10, #","parent":2"#),
      SampleLog.subscribe(2, "b", at: 20, #","parent":1"#),
      SampleLog.subscribe(3, "c", at: 30, #","parent":3"#),
    ])
    #expect(try Set(diagram(text).rows.map(\.index)) == [0, 1, 2])
    #expect(try diagram(text).rows.count == 3)
  }

  @Test("Rows have elements, ends and errors")
  func contents() throws {
    let rows = try diagram(SampleLog.leak).rows
    #expect(rows.map(\.state) == [.active, .disposed, .active, .failed])
    #expect(rows.map(\.error) == [nil, nil, nil, "Timeout()"])
    #expect(rows[2].marbles.map(\.texts) == [[#"["a"]"#]])
    #expect(rows[2].marbles.map(\.time.count) == [300_000_000])
    #expect(rows[1].end?.count == 900_000_000)
  }

  @Test("A diagram is clipped to its time range")
  func window() throws {
    let window = TimeRange(from: Nanoseconds(250_000_000), through: Nanoseconds(450_000_000))
    let rows = try diagram(SampleLog.leak, window).rows
    #expect(rows.map(\.begin?.count) == [nil, nil, nil, 400_000_000])
    // An active subscription is drawn to the end of the diagram, and a later end is clipped.
    #expect(rows.map(\.end?.count) == [450_000_000, nil, 450_000_000, nil])
    #expect(rows.allSatisfy { $0.state == .active })
    #expect(rows[2].marbles.count == 1)
    let later = TimeRange(from: Nanoseconds(310_000_000), through: Nanoseconds(320_000_000))
    #expect(try diagram(SampleLog.leak, later).rows.allSatisfy { $0.marbles.isEmpty })
    let first = TimeRange(from: .zero, through: Nanoseconds(1))
    #expect(try diagram(SampleLog.leak, first).rows.count == 1)
  }

  /// Returns a log with many elements, most of them in two bursts and some at the same time.
  private func busy(_ count: Int) -> String {
    var lines = [
      SampleLog.subscribe(1, "a", at: 0), SampleLog.subscribe(2, "b", at: 1),
    ]
    for index in 0..<count {
      let time = index * index % 977 * 1_000 + (index % 2) * 700_000_000
      lines.append(SampleLog.next(1 + index % 2, "a", at: time, "v\(index)"))
    }
    return SampleLog.make(lines + [SampleLog.end("failed", 2, "b", at: 900_000_000)])
  }

  @Test("The number of marbles is limited, but every element is counted")
  func bounded() throws {
    let log = try analyze(busy(3000))
    for maxCount in [2, 10, 100, 100_000] {
      let collector = try log.scan(
        MarbleCollector(log, rows: [0, 1], window: Self.all, maxCount: maxCount))
      let rows = collector.rows(2)
      #expect(rows.reduce(0) { $0 + $1.count } <= maxCount)
      #expect(rows.map { $0.reduce(0) { $0 + $1.count } } == [1500, 1500])
      #expect(rows.joined().allSatisfy { $0.texts.count == min($0.count, Marble.maxTexts) })
    }
  }

  @Test(
    "Marbles don't depend on where the file is divided",
    arguments: [30, 100, 777, 5_000, 40_000])
  func ranges(size: Int) throws {
    let log = try analyze(busy(1200))
    for maxCount in [4, 60, 10_000] {
      let empty = MarbleCollector(log, rows: [1, 0], window: Self.all, maxCount: maxCount)
      let whole = try ParallelReading(log.files, workers: 1, rangeSize: .max).read(empty).visitor
      let divided = try ParallelReading(log.files, workers: 3, rangeSize: size).read(empty).visitor
      #expect(divided.rows(2) == whole.rows(2))
      #expect(divided.error(row: 0) == "Timeout()")
    }
  }

  @Test("A marble keeps the text of its first elements, in the order of the log")
  func instant() throws {
    let lines = (1...6).map { SampleLog.next(1, "a", at: 50, "v\($0)") }
    let rows = try diagram(SampleLog.make([SampleLog.subscribe(1, "a", at: 0)] + lines)).rows
    #expect(rows.first?.marbles.map(\.count) == [6])
    #expect(rows.first?.marbles.first?.texts == ["v1", "v2", "v3", "v4"])
  }

  @Test("Several logs share the time axis of a diagram")
  func logs() throws {
    let later = SampleLog.ofAnother(SampleLog.clean, process: 7, secondsLater: 2)
    let rows = try diagram(SampleLog.clean + later).rows
    #expect(
      rows.map { $0.marbles.first?.time.count } == [
        500_000_000, 300_000_000, 2_500_000_000, 2_300_000_000,
      ])
  }
}
