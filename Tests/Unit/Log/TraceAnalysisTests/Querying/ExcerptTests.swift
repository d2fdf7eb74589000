import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

/// Tests of content that is read a second time.
@Suite("Excerpts of logs")
struct ExcerptTests {
  /// Three subscriptions whose elements alternate and aren't in time order.
  private static let text = SampleLog.make(
    (1...3).map { SampleLog.subscribe($0, "lane", at: $0) }
      + (1...200).map { SampleLog.next(1 + $0 % 3, "lane", at: 1000 * ($0 ^ 5), "value \($0)") }
      + [SampleLog.end("completed", 2, "lane", at: 210_000)], end: 300_000)

  private static let file = LogSource(name: "run.jsonl", bytes: Array(text.utf8))

  private func divided<Visitor: MergingVisitor>(
    _ visitor: Visitor, rangeSize: Int
  ) throws -> Visitor {
    try ParallelReading([Self.file], workers: 3, rangeSize: rangeSize).read(visitor).visitor
  }

  @Test(
    "Marks, events and matches don't depend on where the file is divided",
    arguments: [100, 777, 5000, 1 << 20])
  func division(rangeSize: Int) throws {
    let log = try LogAnalysis.read(Self.file)
    let excerpt = LogExcerpt(log)
    let members = Array(log.lifecycles.indices)

    let scale = TimeScale(excerpt.times, columns: 4)
    let gathering = try divided(
      MarkGathering(excerpt, members, 66, 10, scale), rangeSize: rangeSize)
    #expect(gathering.overview.reduce(0, +) == 200)
    let overview = LogOverview(excerpt, over: scale, elements: gathering.overview)
    #expect(overview.began == [3, 0, 0, 0])
    #expect(overview.ended.reduce(0, +) == 1)
    #expect(overview.alive.max() == 3)
    #expect(
      gathering.marks.map(Self.describe) == [
        "66 times from 3000", "67 counted in 10", "67 counted in 10",
      ])

    let latestEvents = try divided(EventGathering(log, members, maxCount: 3), rangeSize: rangeSize)
      .events
    for (index, latest) in latestEvents.enumerated() {
      // The elements follow the header and three beginnings.
      var wanted = (1...200).filter { $0 % 3 == index }.map { (1000 * ($0 ^ 5), $0 + 4) }
      if index == 1 { wanted.append((210_000, 205)) }
      wanted = wanted.sorted { $0.0 < $1.0 }.suffix(3)
      #expect(latest.map { Int($0.time.count) } == wanted.map(\.0))
      #expect(latest.map(\.location.line) == wanted.map(\.1))
      let texts = wanted.map { $0.1 == 205 ? nil : "value \($0.1 - 4)" }
      #expect(latest.map { log.text(at: $0.location) } == texts)
    }

    let query = try Query("thread:2 and value:/^value (7|100)$/")
    let scan = QueryScan(query, in: log, among: [true, true, true], keepsHits: false)
    let events = try divided(scan, rangeSize: rangeSize).events
    #expect(query.matches(in: log, QueryFacts(), events: events) == [false, true, false])
  }

  private static func describe(_ marks: ElementMarks.Marks) -> String {
    switch marks {
    case .times(let times):
      "\(times.count) times from \(times.first?.count ?? 0)"
    case .counts(let counts, _, _):
      "\(counts.reduce(0, +)) counted in \(counts.count)"
    }
  }

  @Test(
    "The limit for marks is shared fairly among subscriptions",
    arguments: [
      ([1, 2, 3], 6, Int.max), ([1, 2, 3], 5, 2), ([10, 10, 10], 9, 3), ([1, 100, 100], 21, 10),
      ([5, 5], 1, 1), ([], 10, Int.max), ([0, 0, 7], 6, 6),
    ])
  func share(elements: [Int], maxCount: Int, share: Int) {
    #expect(ElementMarks.share(elements, maxCount: maxCount) == share)
  }

  @Test("Recent events are the latest by time, not by position in the file")
  func latest() throws {
    let log = try LogAnalysis.read(
      LogSource(
        name: "x",
        bytes: Array(
          SampleLog.make([
            SampleLog.subscribe(1, "a", at: 1), SampleLog.next(1, "a", at: 9, "late"),
            SampleLog.next(1, "a", at: 5, "early"), SampleLog.next(1, "a", at: 7, "middle"),
          ]).utf8)))
    let events = try RecentEvents(log, of: [0], maxCount: 2).events
    #expect(events[0].map { log.text(at: $0.location) } == ["middle", "late"])
  }

  @Test("A lane is nested under its nearest remaining ancestor")
  func tree() throws {
    let log = try LogAnalysis.read(
      LogSource(
        name: "x",
        bytes: Array(
          SampleLog.make([
            SampleLog.subscribe(1, "top", at: 1),
            SampleLog.subscribe(2, "middle", at: 2, #","parent":1"#),
            SampleLog.subscribe(3, "low", at: 3, #","parent":2"#),
          ]).utf8)))
    func lanes(_ names: String...) -> [String] {
      let excerpt = LogExcerpt(log) {
        names.contains(log.lifecycles[$0].site.lane)
      }
      let tree = LaneTree(excerpt)
      return tree.inOrder.map { "\(tree.nodes[$0].depth) \(tree.nodes[$0].lane)" }
    }
    #expect(lanes("top", "middle", "low") == ["0 top", "1 middle", "2 low"])
    #expect(lanes("top", "low") == ["0 top", "1 low"])
    #expect(lanes("middle", "low") == ["0 middle", "1 low"])
    #expect(lanes("low") == ["0 low"])
  }
}
