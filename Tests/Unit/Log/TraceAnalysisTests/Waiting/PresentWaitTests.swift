import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("What a task waits for when its log ends")
struct PresentWaitTests {
  private static let ms: UInt64 = 1_000_000

  private static func begin(_ id: Int, at time: Int = 0) -> String {
    #"{"t":\#(time),"event":"subscribe","sub":\#(id),"lane":"a","op":"task","task":\#(id + 30)}"#
  }

  private static func suspended(_ id: Int, at time: Int, _ more: String) -> String {
    #"{"t":\#(time),"event":"suspended","sub":\#(id),"lane":"a",\#(more)}"#
  }

  private static func resumed(_ id: Int, at time: Int) -> String {
    #"{"t":\#(time),"event":"resumed","sub":\#(id),"lane":"a"}"#
  }

  private static func task(_ id: Int, _ more: String) -> String {
    #"{"t":900,"event":"task","sub":\#(id),"lane":"a","task":\#(id + 30),"priority":25,\#(more)}"#
  }

  private func log(_ lines: String...) throws -> LogAnalysis {
    try LogAnalysis.read(
      LogSource(name: "a.jsonl", bytes: Array(SampleLog.make(lines, end: 1000).utf8)))
  }

  private func present(_ lines: [String], _ id: Int = 1) throws -> PresentWait? {
    let log = try LogAnalysis.read(
      LogSource(name: "a.jsonl", bytes: Array(SampleLog.make(lines, end: 1000).utf8)))
    return log.index(of: SubscriptionID(known: UInt64(id))).flatMap { log.presentWait(of: $0) }
  }

  @Test("A task that waits has the time, the place and the tasks of its latest wait")
  func latest() throws {
    let place = #""source":"A/B.swift:7","function":"f()","#
    let present = try #require(
      try present([
        Self.begin(1), Self.suspended(1, at: 100, #""wait":"continuation""#),
        Self.resumed(1, at: 200),
        Self.suspended(1, at: 300, place + #""wait":"task","awaits":[{"sub":4},{"sub":5}]"#),
      ]))
    #expect(present.activity == .waits(.task))
    #expect(present.since == Nanoseconds(300))
    #expect(present.awaited == [SubscriptionID(known: 4), SubscriptionID(known: 5)])
    #expect(present.source == "A/B.swift:7")
    #expect(present.function == "f()")
    #expect(present.number == 31)
  }

  @Test("The names of the place of a wait and of the lane of a task are explained at the end")
  func places() throws {
    let begin =
      #"{"t":1,"event":"subscribe","sub":1,"lane":"observed.1","op":"task","type":"-"}"#
    let wait =
      #"{"t":2,"event":"suspended","sub":1,"lane":"observed.1","observed":"call.2","wait":"group"}"#
    let names = [
      #"{"t":9,"event":"place","lane":"call.2","source":"A/B.swift:7","function":"f()"}"#,
      #"{"t":9,"event":"place","lane":"observed.1","source":"A/C.swift:3","function":"g()"}"#,
    ]
    for lines in [[begin, wait] + names, names + [wait, begin]] {
      let present = try #require(try present(lines))
      #expect(present.source == "A/B.swift:7")
      #expect(present.function == "f()")
      let log = try log(lines[0], lines[1], lines[2], lines[3])
      #expect(log.lifecycles[0].site.lane == "A/C.swift:3")
    }
    // A process that was killed doesn't explain its names.
    #expect(try present([begin, wait])?.source == nil)
    #expect(try present([begin, wait])?.activity == .waits(.group))
    let direct = wait.split(separator: "call.2").joined(separator: "A/D.swift:4")
    #expect(try present([begin, direct])?.source == "A/D.swift:4")
  }

  @Test("A task that can run again runs")
  func runs() throws {
    let lines = [
      Self.begin(1), Self.suspended(1, at: 100, #""wait":"task","awaits":[{"sub":4}]"#),
      Self.resumed(1, at: 200),
    ]
    #expect(try present(lines)?.activity == .runs)
    #expect(try present(lines)?.awaited == [])
    #expect(try present(lines)?.since == nil)
  }

  @Test("Nothing is known about a task without waits, without a record, or after its end")
  func unknown() throws {
    #expect(try present([Self.begin(1)]) == nil)
    #expect(
      try present([
        Self.begin(1), Self.suspended(1, at: 100, #""wait":"task""#),
        #"{"t":200,"event":"completed","sub":1,"lane":"a"}"#,
      ]) == nil)
    #expect(
      try present([
        Self.begin(1), #"{"t":200,"event":"completed","sub":1,"lane":"a"}"#,
        Self.suspended(1, at: 100, #""wait":"task""#), Self.task(1, #""state":"running""#),
      ]) == nil)
    #expect(try present([SampleLog.subscribe(1, "a", at: 1)]) == nil)
  }

  @Test("A record at the end of the log adds to the latest wait")
  func record() throws {
    let record = Self.task(
      1,
      #""name":"n","state":"waiting","wait":"continuation","pause":"sleep","reach":"lost","#
        + #""canceled":5,"calls":[{"name":"g()","at":"A/C.swift:9"},{"name":"f()"}]"#)
    let alone = try #require(try present([Self.begin(1), record]))
    #expect(alone.activity == .waits(.continuation))
    #expect(alone.since == nil)
    #expect(alone.pause == .sleep)
    #expect(alone.reach == .lost)
    #expect(alone.isCanceled)
    #expect(alone.name == "n")
    #expect(alone.source == "A/C.swift:9")
    #expect(alone.calls.count == 2)
    var expected = alone
    expected.since = Nanoseconds(400)
    let wait = Self.suspended(1, at: 400, #""source":"A/X.swift:1","wait":"continuation""#)
    #expect(try present([Self.begin(1), wait, record]) == expected)
    #expect(try present([record, wait]) == expected)
  }

  @Test("A record counts more than a wait for something else")
  func contradiction() throws {
    let wait = Self.suspended(1, at: 400, #""wait":"task","awaits":[{"sub":4}]"#)
    let running = try present([Self.begin(1), wait, Self.task(1, #""state":"running""#)])
    #expect(running?.activity == .runs)
    #expect(running?.awaited == [])
    #expect(running?.since == nil)
    let enqueued = try present([Self.begin(1), wait, Self.task(1, #""state":"enqueued""#)])
    #expect(enqueued?.activity == .waits(.executor))
    #expect(enqueued?.since == nil)
    let suspended = try present([Self.begin(1), wait, Self.task(1, #""state":"suspended""#)])
    #expect(suspended?.activity == .waits(.task))
    #expect(suspended?.since == Nanoseconds(400))
    #expect(suspended?.awaited == [SubscriptionID(known: 4)])
  }

  @Test("The latest wait is the one with the latest time, regardless of the order of the lines")
  func order() throws {
    let lines = [
      Self.resumed(1, at: 200), Self.suspended(1, at: 300, #""wait":"group""#),
      Self.suspended(1, at: 100, #""wait":"task""#), Self.begin(1),
    ]
    for lines in [lines, lines.reversed()] {
      let present = try present(lines)
      #expect(present?.activity == .waits(.group))
      #expect(present?.since == Nanoseconds(300))
    }
  }

  @Test("A wait for an unknown thing or of an unknown task is a wait")
  func damage() throws {
    for more in [#""wait":"lock""#, #""wait":7"#, #""wait":null"#, #""x":1"#] {
      #expect(try present([Self.suspended(1, at: 5, more)])?.activity == .waits(nil), "\(more)")
    }
    #expect(
      try present([Self.suspended(1, at: 5, #""wait":"group","awaits":[7]"#)])?.awaited == [])
    let log = try log(Self.suspended(1, at: 5, #""wait":"task""#))
    #expect(log.lifecycles[0].isTask)
    #expect(!log.lifecycles[0].isUnexpectedlyActive)
    #expect(log.damage[.missingSubscribe] != nil)
  }

  @Test("A wait after the end of its task isn't an event after an end")
  func afterEnd() throws {
    let log = try log(
      Self.begin(1), #"{"t":200,"event":"completed","sub":1,"lane":"a"}"#,
      Self.suspended(1, at: 300, #""wait":"task""#))
    #expect(!log.lifecycles[0].hasEventsAfterEnd)
    #expect(log.waits(of: 0) == [])
    #expect(log.waitSums(of: 0) == nil)
  }

  @Test("Waits have their times, and the last one is open if the task waits at its end")
  func waits() throws {
    let log = try log(
      Self.begin(1, at: 50), Self.suspended(1, at: 20, #""wait":"task""#), Self.resumed(1, at: 60),
      Self.suspended(1, at: 100, #""wait":"executor""#), Self.resumed(1, at: 130),
      Self.suspended(1, at: 200, #""wait":"task""#))
    #expect(
      log.waits(of: 0) == [
        TaskWait(start: Nanoseconds(50), end: Nanoseconds(60), wait: .task),
        TaskWait(start: Nanoseconds(100), end: Nanoseconds(130), wait: .executor),
        TaskWait(start: Nanoseconds(200), end: nil, wait: .task),
      ])
    #expect(log.waits(of: 0, maxCount: 2).count == 2)
    let sums = try #require(log.waitSums(of: 0))
    #expect(sums.count == 3)
    #expect(sums.times.map(\.wait) == [.task, .executor])
    #expect(sums.times.map(\.time.count) == [810, 30])
    #expect(sums.running.count == 110)
  }
}
