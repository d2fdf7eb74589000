import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("LogAnalysis")
struct LogAnalysisTests {
  private func lives(_ lines: [String]) throws -> [String] {
    try analyze(lines.joined(separator: "\n")).lifecycles.map { life in
      let end = life.end.map { "\($0.count)" } ?? "?"
      return "\(life.id) \(life.site.lane) \(life.start.count)-\(end) \(life.state)"
        + " \(life.elements) \(life.last.kind.rawValue)"
    }
  }

  @Test("An analysis follows each subscription from its beginning to its end")
  func whole() throws {
    let log = try analyze(SampleLog.leak)
    #expect(log.header?.process == "search-sample")
    #expect(log.header?.host == "ci-7")
    #expect(log.records == 10)
    #expect(log.duration == Nanoseconds(1_000_000_000))
    #expect(log.logs.map(\.end) == [LogEnd(time: Nanoseconds(1_000_000_000), records: 9)])
    #expect(log.damage == Damage())
    #expect(log.lifecycles.map(\.id.number) == [4, 1, 2, 3])
    #expect(log.lifecycles.map(\.state) == [.active, .disposed, .active, .failed])
    #expect(log.lifecycles.map(\.livesUntilExit) == [true, false, false, false])
    #expect(log.lifecycles[2].parent?.number == 1)
    #expect(log.lifecycles[2].site.source == "App/Model.swift:57")
    #expect(log.lifecycles[2].site === log.lifecycles[3].site)
    #expect(log.lifecycles[2].elements == 1)
    #expect(log.lifecycles[3].life == Nanoseconds(200_000_000))
    #expect(log.age(of: log.lifecycles[2]) == Nanoseconds(800_000_000))
  }

  @Test("The last events of a subscription come only from its own log")
  func lastEvents() throws {
    let id = try #require(SubscriptionID(2))
    let first = SampleLog.make([
      SampleLog.subscribe(2, "other", at: 1), SampleLog.next(2, "other", at: 2, "wrong"),
      SampleLog.end("disposed", 2, "other", at: 3),
    ])
    let half = SampleLog.leak.split(separator: "\n").prefix(6).map { $0 + "\n" }.joined()
    for (text, number) in [(first + half.replacing("9f0c", with: "1111"), 1), (half, 0)] {
      let whole = text + half.replacing("9f0c", with: "2222")
      let log = try analyze(whole)
      let life = try #require(log[id, log: number])
      let events = log.lastEvents(of: life, maxCount: 4)
      #expect(events.map(\.kind) == [.next])
      #expect(events.map(\.text) == [#"["a"]"#])
      #expect(events.allSatisfy { $0.location.line >= life.firstLocation.line })
    }
    // A repeated log that is left out doesn't affect the log after it.
    let copies = try analyze(half + SampleLog.leak)
    let life = try #require(copies[id, log: 0])
    #expect(copies.lastEvents(of: life, maxCount: 4).count == 1)
  }

  @Test("The text of the last element is read again from its location in the file")
  func lastText() throws {
    let file = LogSource(name: "x", bytes: Array(SampleLog.leak.utf8))
    let log = try LogAnalysis.read(file)
    let texts = log.lifecycles.map { log.lastText(of: $0) }
    #expect(texts == [nil, nil, #"["a"]"#, "Timeout()"])
  }

  @Test("A subscription whose beginning is missing starts at its first record")
  func missingSubscribe() throws {
    let lines = [SampleLog.next(7, "a", at: 5, "x"), SampleLog.end("disposed", 7, "a", at: 9)]
    #expect(try lives(lines) == ["#7 a 5-9 disposed 1 disposed"])
    let log = try analyze(lines.joined(separator: "\n"))
    #expect(log.damage[.missingSubscribe] == Damage.Tally(count: 1, firstLine: 1))
    #expect(log.damage.count(.missingHeader) == 1)
  }

  @Test("A subscription with only an end record has a lifetime of zero")
  func endOnly() throws {
    #expect(
      try lives([SampleLog.end("released", 7, "a", at: 9)]) == ["#7 a 9-9 released 0 released"])
  }

  @Test("Records that are out of time order are assigned correctly")
  func outOfOrder() throws {
    let lines = [
      SampleLog.next(1, "a", at: 6, "x"), SampleLog.subscribe(1, "a", at: 5),
      SampleLog.end("completed", 1, "a", at: 9), SampleLog.next(1, "a", at: 8, "y"),
    ]
    #expect(try lives(lines) == ["#1 a 5-9 completed 2 completed"])
    let log = try analyze(lines.joined(separator: "\n"))
    #expect(log.damage.count(.missingSubscribe) == 0)
    #expect(!log.lifecycles[0].hasEventsAfterEnd)
  }

  @Test(
    "The first beginning and the first end of a subscription are used, and later ones are reported")
  func afterEnd() throws {
    let lines = [
      SampleLog.subscribe(1, "a", at: 5), SampleLog.end("failed", 1, "a", at: 9),
      SampleLog.subscribe(1, "b", at: 10), SampleLog.next(1, "a", at: 11, "x"),
      SampleLog.end("disposed", 1, "a", at: 12),
    ]
    #expect(try lives(lines) == ["#1 a 5-9 failed 1 disposed"])
    let log = try analyze(lines.joined(separator: "\n"))
    #expect(log.damage[.duplicateSubscribe] == Damage.Tally(count: 1, firstLine: 3))
    #expect(log.lifecycles[0].hasEventsAfterEnd)
    #expect(log.lifecycles[0].beginsTwice)
  }

  @Test("Very large subscription numbers don't need memory for the numbers below them")
  func largeIDs() throws {
    let ids = [Int.max, 3, 1 << 52, 1, 2_000_000]
    let lines = ids.map { SampleLog.subscribe($0, "a", at: 1) }
    let log = try analyze(lines.joined(separator: "\n"))
    for id in ids {
      #expect(SubscriptionID(UInt64(id)).flatMap { log[$0] }?.id.number == UInt64(id))
    }
    #expect(SubscriptionID(2).flatMap { log[$0] } == nil)
  }

  @Test("Noise before a log is reported as damage, with the first line of each kind")
  func noise() throws {
    #expect(
      try analyze("noise\nmore\n" + SampleLog.clean).damage[.malformed]
        == .init(count: 2, firstLine: 1))
    let two = SampleLog.clean + "noise\n" + SampleLog.ofAnother(SampleLog.clean, process: 2)
    #expect(try analyze(two).damage == Damage(.malformed, line: 10))
    // Mistakes in the program aren't damage to its log.
    let late = [
      SampleLog.subscribe(1, "a", at: 5), SampleLog.end("disposed", 1, "a", at: 9),
      SampleLog.next(1, "a", at: 12, "x"), SampleLog.end("disposed", 1, "a", at: 13),
    ]
    #expect(try !analyze(SampleLog.make(late)).isDamaged)
  }

  @Test("Reusing a number makes the verdict inconclusive, but repeating a line doesn't")
  func reusedNumbers() throws {
    let first = SampleLog.subscribe(1, "a", at: 5)
    let end = SampleLog.end("disposed", 1, "a", at: 20)
    let others = [
      SampleLog.subscribe(1, "a", at: 6), SampleLog.subscribe(1, "b", at: 5),
      SampleLog.subscribe(1, "a", at: 5, #","parent":3"#),
      SampleLog.subscribe(1, "a", at: 5, line: 7),
    ]
    for other in others {
      for lines in [[first, other, end], [other, first, end], [first, first, other, end]] {
        let log = try analyze(SampleLog.make(lines))
        #expect(log.damage.count(.duplicateSubscribe) == lines.count - 2)
        #expect(Verdict(log).doubts == [[.reused(1)]])
        #expect(Verdict(log).outcome == .inconclusive)
      }
    }
    let copies = try analyze(SampleLog.make([first, first, first, end]))
    #expect(copies.damage.count(.duplicateSubscribe) == 2)
    #expect(Verdict(copies).outcome == .clean)
  }

  @Test(
    "Lines of a reused number aren't counted as copies, regardless of where the file is divided")
  func copiesOfReusedNumbers() throws {
    let first = SampleLog.subscribe(1, "a", at: 5)
    let other = SampleLog.subscribe(1, "b", at: 5)
    let end = #"{"t":9,"event":"end","records":3,"lost":0}"#
    for order in [[first, other, other], [other, other, first], [other, first, other]] {
      let text = ([SampleLog.header] + order + [end]).joined(separator: "\n")
      let source = LogSource(name: "log", bytes: Array(text.utf8))
      for size in stride(from: 1, through: text.utf8.count, by: 7) {
        let reading = ParallelReading([source], workers: 1, rangeSize: size)
        let log = try LogAnalysis.read([source], reading: reading).analysis
        #expect(Verdict(log).doubts == [[.extra(1), .reused(1)]], "ranges of \(size) bytes")
      }
    }
  }

  @Test("Records after the last line of a log are counted, regardless of where the file is divided")
  func behindContinuation() throws {
    let lines = [
      SampleLog.header, #"{"t":5,"event":"continued","records":1,"lost":0}"#,
      SampleLog.subscribe(1, "a", at: 6), SampleLog.end("disposed", 1, "a", at: 7),
    ]
    let end = #"{"t":9,"event":"end","records":3,"lost":0}"#
    for (lines, count) in [(lines, 2), (lines + [end], 3), (lines + [end, end], 4)] {
      let text = lines.joined(separator: "\n")
      let log = try analyze(text)
      #expect(log.damage[.afterLogEnd] == .init(count: count, firstLine: 3))
      let file = LogSource(name: "x", bytes: Array(text.utf8))
      let whole = describe(try LogAnalysis.read(file))
      for size in [1, 40, 100, 300] {
        let divided = try LogAnalysis.read(
          [file], reading: ParallelReading([file], workers: 1, rangeSize: size)
        ).analysis
        #expect(describe(divided) == whole)
      }
    }
  }

  @Test("Elements of a log with an unknown version aren't added to another log")
  func refused() throws {
    let newer = SampleLog.ofAnother(SampleLog.leak, process: 2).replacing(
      #""version":1"#, with: #""version":2"#)
    let file = LogSource(name: "x", bytes: Array((SampleLog.clean + newer).utf8))
    let (log, errors) = try LogAnalysis.read([file])
    #expect(errors.map(\.code) == [.newerVersion])
    let timeline = try Timeline(
      LogExcerpt(log), LaneSelection(LogExcerpt(log), limit: 9), suspects: [], columns: 10)
    let elements = timeline.lanes.flatMap { $0.rows.flatMap(\.elements) }
    #expect(elements.reduce(0, +) == 2)
  }

  @Test("A log that appears twice is read once and reported as repeated")
  func repeated() throws {
    let log = try analyze(SampleLog.leak + SampleLog.clean)
    #expect(log.lifecycles.count == 4)
    #expect(log.damage == Damage(.repeated, line: 11))
    // If a log appears twice, the longer copy counts.
    #expect(try analyze(SampleLog.clean + SampleLog.leak).lifecycles.count == 4)
  }
}
