import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

/// A reader that finds the subscriptions of a log with a plain loop over its lines and a
/// dictionary, without any fast path.
private struct PlainReader: RecordVisitor {
  struct Life: Equatable {
    var number: UInt64
    var start: UInt64
    var end: UInt64?
    var elements = 0
    var parent: UInt64 = 0
    var last: UInt64
    var lastLine: Int
    var peakRate = 0
    var elsewhere = 0
    var firstElsewhere = 0
  }

  private var indices: [UInt64: Int] = [:]
  private(set) var lives: [Life] = []
  private var seconds: [[UInt64]] = []

  mutating func visit(_ record: TraceRecord, at location: TraceRecord.Location) {
    let time = record.time.count
    switch record.body {
    case .subscribe(let subscribe):
      let index = note(subscribe.id.number, time, location)
      lives[index].parent = subscribe.parent?.number ?? 0
    case .next(let moment):
      let index = note(moment.id.number, time, location)
      lives[index].elements += 1
      seconds[index].append(time / 1_000_000_000)
      if moment.thread != 1 {
        lives[index].elsewhere += 1
        if lives[index].elsewhere == 1 { lives[index].firstElsewhere = location.line }
      }
    case .disposed(let moment), .completed(let moment), .released(let moment):
      let index = note(moment.id.number, time, location)
      lives[index].end = lives[index].end ?? time
    default: break
    }
  }

  private mutating func note(
    _ number: UInt64, _ time: UInt64, _ location: TraceRecord.Location
  ) -> Int {
    if let index = indices[number] {
      if time >= lives[index].last {
        (lives[index].last, lives[index].lastLine) = (time, location.line)
      }
      return index
    }
    indices[number] = lives.count
    lives.append(Life(number: number, start: time, last: time, lastLine: location.line))
    seconds.append([])
    return lives.count - 1
  }

  mutating func finish() {
    for (index, seconds) in seconds.enumerated() {
      var run = 0
      for (place, second) in seconds.enumerated() {
        run = place > 0 && seconds[place - 1] == second ? run + 1 : 1
        lives[index].peakRate = max(lives[index].peakRate, run)
      }
    }
  }
}

/// A visitor that records the events it visits.
private struct OrderedVisitor: RecordVisitor {
  var preparesEvents: Bool
  var lines: [String] = []

  mutating func visit(_ record: TraceRecord, at location: TraceRecord.Location) {
    let text = record.body.moment?.moment.text?.string ?? "-"
    lines.append("\(location.line) \(location.offset) \(record.time.count) \(text)")
  }
}

@Suite("Reading compared with a plain loop")
struct PlainReaderTests {
  /// The kinds of subscription numbers.
  enum Numbers: CaseIterable {
    case ascending, descending, sparse, huge, repeated

    func number(of index: Int, among count: Int) -> UInt64 {
      switch self {
      case .ascending: UInt64(index + 1)
      case .descending: UInt64(count - index)
      // These numbers are too large for the table's array, which each part would have to fill.
      case .sparse: UInt64(index + 1) &* 10_000_019
      case .huge: UInt64.max >> 1 &- UInt64(index) &* 0x1000_0000
      case .repeated: UInt64(index / 3 + 1)
      }
    }
  }

  private func log(_ numbers: Numbers, seed: UInt64) -> LogSource {
    var random = FixedNumbers(seed: seed)
    let count = 60
    var lines: [String] = []
    var time: UInt64 = 0
    for index in 0..<count {
      time += UInt64.random(in: 0...900_000_000, using: &random)
      let number = numbers.number(of: index, among: count)
      let parent = numbers.number(of: Int.random(in: 0...index, using: &random), among: count)
      // Some subscriptions don't have a beginning.
      if index % 7 != 0 || numbers == .repeated {
        lines.append(
          #"{"t":\#(time),"event":"subscribe","sub":\#(number),"lane":"a","parent":\#(parent)}"#)
      }
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let other = numbers.number(of: Int.random(in: 0...index, using: &random), among: count)
        time += UInt64.random(in: 0...300_000_000, using: &random)
        let thread = Int.random(in: 1...2, using: &random)
        lines.append(
          #"""
          {"t":\#(time),"event":"next","sub":\#(other),"lane":"a","value":"\#(other)",\#
          "thread":\#(thread)}
          """#
        )
      }
      let end = ["disposed", "completed", "released"][index % 3]
      if index % 4 != 0 {
        lines.append(
          #"{"t":\#(time),"event":"\#(end)","sub":\#(number),"lane":"a","thread":1}"#)
      }
    }
    return LogSource(name: "x", bytes: Array(SampleLog.make(lines, end: Int(time)).utf8))
  }

  @Test("Records in an unusual form are read like those in the usual form")
  func forms() throws {
    let usual = [
      #"{"t":10,"event":"subscribe","sub":1,"lane":"a","thread":1,"lifetime":"process"}"#,
      #"{"t":20,"event":"subscribe","sub":2,"lane":"b","thread":2,"type":"Int","parent":1}"#,
      #"{"t":25,"event":"subscribe","sub":2,"lane":"b","thread":2,"type":"Int","parent":1}"#,
      #"{"t":30,"event":"completed","sub":2,"lane":"b","thread":2}"#,
      #"{"t":40,"event":"released","sub":3,"lane":"c","thread":2}"#,
      #"{"t":50,"event":"disposed","sub":3,"lane":"c","thread":2}"#,
      #"{"t":60,"event":"subscribe","sub":3,"lane":"c","thread":2}"#,
    ]
    let unusual = usual.map { #"{ "x":[],"# + $0.dropFirst() }
    let logs = try [usual, unusual].map { try analyze($0.joined(separator: "\n") + "\n") }
    func describe(_ log: LogAnalysis) -> [String] {
      log.lifecycles.map {
        """
        \($0.id) \($0.site.lane) \($0.state) \($0.start) \($0.end?.count ?? 0) \
        \($0.birth) \($0.livesUntilExit) \($0.beginsTwice) \($0.hasEventsAfterEnd) \
        \($0.thread ?? 0) \($0.firstLocation.line) \($0.last.location.line) \
        \($0.parent?.number ?? 0)
        """
      } + [
        "\(log.logs[0].tails.all)", "\(log.activeCount)",
        "\(log.activeSubscriptions(of: 0))",
      ]
    }
    #expect(describe(logs[0]).count == 6)
    #expect(describe(logs[0]) == describe(logs[1]))
    #expect(logs[0].damage == logs[1].damage)
  }

  @Test(
    "An analysis matches a plain loop for any numbers, thread counts and range sizes",
    arguments: Numbers.allCases, 0..<4 as Range<UInt64>)
  func numbers(numbers: Numbers, seed: UInt64) throws {
    let file = log(numbers, seed: seed)
    var plain = PlainReader()
    var reader = LogReader(bufferSize: 100)
    _ = try reader.read(file, visitor: &plain)
    plain.finish()
    for (workers, size) in [(1, nil), (1, 50), (2, 97), (2, 1000), (3, 400)] as [(Int, Int?)] {
      let reading = ParallelReading([file], workers: workers, rangeSize: size)
      let log = try LogAnalysis.read([file], reading: reading).analysis
      let lives = log.lifecycles.map { life in
        PlainReader.Life(
          number: life.id.number, start: life.start.count, end: life.end?.count,
          elements: life.elements, parent: life.parent?.number ?? 0, last: life.last.time.count,
          lastLine: life.last.location.line, peakRate: life.peakRate.count,
          elsewhere: Int(life.elsewhere), firstElsewhere: life.firstElsewhere?.line ?? 0)
      }
      guard numbers != .repeated else {
        // If several beginnings have the same number, the first one counts.
        #expect(lives.map(\.number) == plain.lives.map(\.number))
        #expect(lives.map(\.elements) == plain.lives.map(\.elements))
        continue
      }
      #expect(lives == plain.lives, "\(workers) threads, parts of \(size ?? 0) bytes")
      for life in log.lifecycles {
        #expect(log[life.id]?.id == life.id)
      }
    }
  }

  @Test(
    "Events are visited in the same order whether or not a visitor prepares for them",
    arguments: 0..<6)
  func order(seed: UInt64) throws {
    let file = RandomLog(seed: seed).files[0]
    let visited = try [false, true].map { prepares in
      var visitor = OrderedVisitor(preparesEvents: prepares)
      var reader = LogReader(bufferSize: 4000)
      _ = try reader.read(file, visitor: &visitor)
      return visitor.lines
    }
    #expect(visited[0] == visited[1])
    #expect(visited[0].count > 300)
  }
}
