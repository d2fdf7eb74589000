import SystemLibrary
import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("ParallelReading")
struct ParallelReadingTests {
  /// A log with all kinds of records and damage.
  private static let log: [UInt8] = {
    let ms = 1_000_000
    var lines = [SampleLog.header, #"{"t":8,"event":"thread","thread":1,"name":"main"}"#]
    lines.append(#"{"t":9,"event":"scope-begin","scope":1,"name":"screen"}"#)
    for id in 1...40 {
      lines.append(
        SampleLog.subscribe(
          id, "lane \(id % 5)", at: id * ms, line: id % 7,
          (id > 3 ? #","parent":\#(id / 2)"# : "")
            + #","observed":"call.\#(id % 6)""# + (id == 7 ? #","lifetime":"process""# : "")))
      for element in 0..<(id % 9) {
        lines.append(
          SampleLog.next(id, "lane \(id % 5)", at: (id + element * 300) * ms, "e\(element)"))
      }
      if id % 6 == 0 {
        lines.append(RetainedLog.retained(id, at: (id + 800) * ms, path: ["step \(id)", "bag"]))
        lines.append(RetainedLog.retained(id - 1, at: (id + 750) * ms, path: ["earlier"]))
        lines.append(RetainedLog.retained(id + 1, at: id * ms, path: ["before its beginning"]))
        lines.append(
          #"""
          {"t":\#((id + 801) * ms),"event":"place","lane":"call.\#(id / 6)",\#
          "source":"F.swift:\#(id)"}
          """#
        )
      }
      if id % 11 == 0 { lines.append("noise \(id)") }
      if id % 13 == 0 { lines.append("") }
      if id % 3 != 0 {
        lines.append(SampleLog.end("disposed", id, "lane", at: (id + 700) * ms))
      }
      if id % 17 == 0 { lines.append(SampleLog.next(id, "lane", at: (id + 900) * ms, "late")) }
      if id == 20 { lines.append(SampleLog.subscribe(20, "again", at: 21 * ms)) }
    }
    lines.append(#"{"t":5000000000,"event":"scope-end","scope":1}"#)
    lines.append(#"{"t":5000000001,"event":"mark","name":"m"}"#)
    lines.append(#"{"t":6000000000,"event":"end","records":500,"lost":2}"#)
    lines.append(SampleLog.next(1, "lane", at: 7000 * ms, "after the end"))
    return Array((lines.joined(separator: "\r\n") + "\n{\"t\":77,\"ev").utf8)
  }()

  private func read(_ bytes: [[UInt8]], rangeSize: Int?, workers: Int) throws -> [String] {
    let files = bytes.enumerated().map { LogSource(name: "\($0).jsonl", bytes: $1) }
    let reading = ParallelReading(files, workers: workers, rangeSize: rangeSize)
    return describe(try LogAnalysis.read(files, reading: reading).analysis)
  }

  @Test("An analysis doesn't depend on where a file is divided")
  func divisions() throws {
    let whole = try read([Self.log], rangeSize: nil, workers: 1)
    #expect(whole.count > 40)
    for rangeSize in [1, 2, 3, 7, 50, 99, 100, 101, 512, 1000, 4096, Self.log.count - 1] {
      let divided = try read([Self.log], rangeSize: rangeSize, workers: 1)
      let difference = zip(divided, whole).first { $0 != $1 }
      #expect(divided.count == whole.count)
      #expect(difference == nil, "ranges of \(rangeSize) bytes")
    }
  }

  @Test("Facts about a subscription aren't its events, regardless of where the file is divided")
  func facts() throws {
    let task = #"{"t":9,"event":"task","sub":2,"lane":"b","task":7,"state":"suspended"}"#
    let lines = [
      SampleLog.header,
      SampleLog.subscribe(1, "a", at: 1), SampleLog.next(1, "a", at: 2, "value"),
      SampleLog.subscribe(2, "b", at: 3).replacing(#""op":"lane""#, with: #""op":"task""#),
      #"{"t":4,"event":"suspended","sub":2,"lane":"b","wait":"continuation"}"#,
      #"{"t":8,"event":"changed","sub":1,"lane":"a","shared":1}"#, task,
      SampleLog.subscribe(3, "c", at: 5),
      SampleLog.subscribe(3, "c", at: 6).replacing(#""op":"lane""#, with: #""op":"task""#),
      #"{"t":7,"event":"changed","sub":4,"lane":"d","shared":1}"#,
      SampleLog.next(4, "d", at: 6, "value"),
    ]
    let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
    for rangeSize in [nil, 1, 100, 300] {
      let file = LogSource(name: "x", bytes: bytes)
      let reading = ParallelReading([file], workers: 1, rangeSize: rangeSize)
      let lifecycles = try LogAnalysis.read([file], reading: reading).analysis.lifecycles
      #expect(lifecycles.map(\.last.kind) == [.next, .suspended, .subscribe, .next])
      #expect(lifecycles.map(\.last.time.count) == [2, 4, 6, 6])
      #expect(lifecycles.map(\.start.count) == [1, 3, 5, 6])
      #expect(lifecycles.map(\.isTask) == [false, true, true, false])
      #expect(lifecycles.map(\.isShared) == [true, false, false, true])
    }
  }

  @Test("A line that is too long is reported, regardless of where the file is divided")
  func longLine() throws {
    let long = [UInt8](repeating: UInt8(ascii: "x"), count: LogReader.maxLineLength + 1000)
    let lines = SampleLog.leak.split(separator: "\n").map { $0 + "\n" }
    let text = lines[..<4].joined() + "nonsense\n"
    let bytes = Array(text.utf8) + long + Array(("\n" + lines[4...].joined()).utf8)
    let file = LogSource(name: "long.jsonl", bytes: bytes)
    for rangeSize in [text.utf8.count + 10, 1 << 20, LogReader.maxLineLength, bytes.count] {
      let reading = ParallelReading([file], workers: 2, rangeSize: rangeSize)
      let log = try LogAnalysis.read([file], reading: reading).analysis
      #expect(log.damage[.tooLong] == Damage.Tally(count: 1, firstLine: 6), "\(rangeSize)")
      #expect(log.damage[.malformed] == Damage.Tally(count: 1, firstLine: 5), "\(rangeSize)")
      #expect(log.lifecycles.last?.firstLocation.line == 9, "\(rangeSize)")
    }
  }

  @Test(
    "An analysis doesn't depend on which worker reads a range first",
    arguments: 2...6)
  func workers(count: Int) throws {
    let whole = try read([Self.log], rangeSize: nil, workers: 1)
    for _ in 0..<20 {
      #expect(try read([Self.log], rangeSize: 700, workers: count) == whole)
    }
  }

  @Test("Several logs in one file stay separate, regardless of where the file is divided")
  func concatenated() throws {
    let logs = (1...4).map { SampleLog.ofAnother(SampleLog.leak, process: $0, secondsLater: $0) }
    let bytes = Array(logs.joined().utf8)
    let whole = try read([bytes], rangeSize: nil, workers: 1)
    #expect(whole.filter { $0.hasPrefix("[") && $0.contains("jsonl") }.count == 4)
    for rangeSize in [1, 64, 333, 1000, 2500] {
      #expect(try read([bytes], rangeSize: rangeSize, workers: 3) == whole)
    }
  }

  @Test("Files that end in the middle of a line aren't joined")
  func severalFiles() throws {
    let first = Self.log
    let second = Array(SampleLog.ofAnother(SampleLog.died, process: 9).utf8.dropLast(5))
    let whole = try read([first, second], rangeSize: nil, workers: 1)
    for rangeSize in [100, 1000] {
      #expect(try read([first, second], rangeSize: rangeSize, workers: 2) == whole)
    }
    let files = [first, second].map { LogSource(name: "x", bytes: $0) }
    let analysis = try LogAnalysis.read(files).analysis
    #expect(analysis.sections.map { $0.damage.count(.torn) } == [1, 1])
    #expect(analysis.sections.map { $0.damage.count(.malformed) } == [3, 0])
  }

  @Test("Progress reports add up to the bytes that were read")
  func progress() throws {
    let files = [LogSource(name: "x", bytes: Self.log), LogSource(name: "y", bytes: Self.log)]
    let total = Total()
    _ = try ParallelReading(files, workers: 3, rangeSize: 500).read(LogAccumulator()) {
      total.add($0)
    }
    #expect(total.value == Self.log.count * 2)
  }

  /// A visitor that prefers small parts after a number of parts.
  private struct PartCounter: MergingVisitor {
    var count = 1

    var prefersSmallParts: Bool { count > 2 }

    mutating func visit(_ record: TraceRecord, at location: TraceRecord.Location) {}

    mutating func append(_ next: consuming PartCounter, lines: Int) { count += next.count }
  }

  @Test("Parts have several ranges of one file until the result prefers small parts")
  func smallParts() {
    let ranges = Self.ranges(5) + Self.ranges(7, file: 1)
    let joining = RangeJoining(
      PartCounter(count: 0), [ReadingTally(), ReadingTally()], ranges: ranges, group: 3, slots: 1)
    var taken: [ParallelReading.FileRange] = []
    var numbers: [Range<Int>] = []
    while let part = joining.take() {
      numbers.append(part.numbers)
      taken.append(ParallelReading.FileRange(file: part.file, range: part.range))
      joining.give(.init(file: part.file, visitor: PartCounter(), tally: ReadingTally()), part)
    }
    #expect(numbers == [0..<3, 3..<5, 5..<8, 8..<9, 9..<10, 10..<11, 11..<12])
    #expect(taken.map(\.file) == [0, 0, 1, 1, 1, 1, 1])
    #expect(taken.map(\.range) == [0..<30, 30..<50, 0..<30, 30..<40, 40..<50, 50..<60, 60..<70])
  }

  private static func ranges(_ count: Int, file: Int = 0) -> [ParallelReading.FileRange] {
    (0..<count).map { ParallelReading.FileRange(file: file, range: $0 * 10..<($0 + 1) * 10) }
  }

  @Test("Threads that are ahead wait until a part is merged")
  func slots() {
    let joining = RangeJoining(
      IndexedAccumulator(), [ReadingTally()], ranges: Self.ranges(40), slots: 3)
    let taken = BlockingMutex(Set<Int>())
    onThreads(4) { _ in
      while let part = joining.take() {
        let number = part.numbers.lowerBound
        let isNew = taken.withLock { $0.insert(number).inserted }
        #expect(isNew)
        let isAllowed = taken.withLock { number < $0.count + 3 }
        #expect(isAllowed)
        joining.give(
          .init(file: 0, visitor: IndexedAccumulator(), tally: ReadingTally()), part)
      }
    }
    #expect(taken.withLock { $0.count } == 40)
  }

  @Test("A part that can't be read ends the wait of the other threads")
  func failureWhileWaiting() throws {
    let joining = RangeJoining(
      IndexedAccumulator(), [ReadingTally()], ranges: Self.ranges(40), slots: 2)
    #expect(joining.take()?.numbers == 0..<1)
    let second = try #require(joining.take())
    #expect(second.numbers == 1..<2)
    // The first part is missing, so nothing can be merged.
    joining.give(.init(file: 0, visitor: IndexedAccumulator(), tally: ReadingTally()), second)
    onThreads(4) { number in
      if number == 0 { return joining.fail(.cannotRead("log", reason: "test")) }
      #expect(joining.take() == nil)
    }
    #expect(throws: LogError.self) { _ = try joining.finish() }
  }
}
