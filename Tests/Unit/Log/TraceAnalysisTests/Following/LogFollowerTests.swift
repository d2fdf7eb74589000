import Foundation
import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("A log that is followed")
struct LogFollowerTests {
  /// Returns a log with all kinds of records and a line that isn't a record.
  private func text(seed: UInt64 = 3, records: Int = 300) -> [UInt8] {
    let log = RandomLog(seed: seed &* 2, records: records)
    return log.files[0].bytes(at: .init(line: 1, offset: 0, length: log.files[0].size))
  }

  /// Returns a log that means the same in whatever order its lines are read, because each
  /// subscription begins and ends once.
  private func orderless(seed: UInt64) -> [UInt8] {
    var numbers = FixedNumbers(seed: seed)
    var time = 0
    var lines: [String] = []
    for id in 1...30 {
      for element in 0..<Int.random(in: 2...12, using: &numbers) {
        time += Int.random(in: 1...900, using: &numbers)
        lines.append(
          element == 0
            ? SampleLog.subscribe(id, "lane", at: time)
            : SampleLog.next(id, "lane", at: time, String(repeating: "e", count: element * 20)))
      }
      if id % 3 != 0 { lines.append(SampleLog.end("disposed", id, "lane", at: time + 1)) }
      if id % 7 == 0 { lines.append("noise \(id)") }
      if id % 5 == 0 { lines.append(#"{"t":\#(time),"event":"mark","name":"m\#(id)"}"#) }
    }
    return Array(SampleLog.make(lines, end: time + 2).utf8)
  }

  private func expectWhole(_ file: GrowingFile, _ snapshot: LogSnapshot) throws {
    let whole = try LogSnapshot.whole(file.path)
    let difference = zip(snapshot.summary, whole.summary).first { $0 != $1 }
    #expect(difference == nil)
    #expect(snapshot.summary.count == whole.summary.count)
    let (lines, expected) = (try snapshot.lines(), try whole.lines())
    let other = zip(lines, expected).first { $0 != $1 }
    #expect(other == nil)
    #expect(lines.count == expected.count)
    #expect(snapshot.isComplete)
    #expect(snapshot.restarts == 0)
    try expectAllNews(file, whole)
  }

  /// Expects that each event became known exactly once.
  private func expectAllNews(_ file: GrowingFile, _ whole: LogSnapshot) throws {
    let events = try EventReader(whole).events(
      after: LogEvent.Position(time: Nanoseconds(0), file: -1, offset: -1), maxCount: .max)
    #expect(file.news.count == events.count)
    #expect(file.news.map(\.position).sorted() == events.map(\.position))
    #expect(Set(file.news.map(\.text)) == Set(events.map(\.text)))
  }

  @Test(
    "A log that doesn't exist yet is read as it grows",
    arguments: [1, 7, 61, 700, 9999])
  func growing(step: Int) throws {
    let file = try GrowingFile()
    #expect(try file.log.advance() == nil)
    let text = text(records: step == 1 ? 20 : step < 10 ? 60 : 300)
    for start in stride(from: 0, to: text.count, by: step) {
      try file.put(Array(text[start..<min(text.count, start + step)]))
      try file.advance()
      #expect(file.last?.isComplete != true || start + step >= text.count - 1)
    }
    try expectWhole(file, try file.settle())
  }

  @Test(
    "Blank space in a log is read again, regardless of the order in which it is filled",
    arguments: 0..<(TestLength.isLong ? 12 : 4))
  func holes(seed: UInt64) throws {
    let file = try GrowingFile(firstBatch: 3000)
    let text = orderless(seed: seed)
    var numbers = FixedNumbers(seed: seed)
    let header = try #require(text.firstIndex(of: 0x0A)) + 1
    var lines: [Range<Int>] = []
    var start = header
    while let end = text[start...].firstIndex(of: 0x0A) {
      lines.append(start..<end)
      start = end + 1
    }
    // The last line is written last, as a recorder does.
    let last = lines.removeLast()
    try file.put([UInt8](repeating: 0x0A, count: text.count + 100_000), at: 0)
    try file.put(Array(text[..<header]), at: 0)
    for line in lines.shuffled(using: &numbers) {
      let cut = Int.random(in: line.lowerBound...line.upperBound, using: &numbers)
      try file.put(Array(text[line.lowerBound..<cut]), at: line.lowerBound)
      if Int.random(in: 0..<4, using: &numbers) == 0 { try file.advance() }
      try file.put(Array(text[cut..<line.upperBound]), at: cut)
      if Int.random(in: 0..<4, using: &numbers) == 0 { try file.advance() }
    }
    try file.put(Array(text[last]), at: last.lowerBound)
    try file.advance()
    file.cut(to: text.count)
    try expectWhole(file, try file.settle())
  }

  @Test("Lines of a followed log have their line numbers in the file")
  func numbers() throws {
    let file = try GrowingFile()
    let first = SampleLog.subscribe(1, "a", at: 5)
    let behind = SampleLog.next(1, "a", at: 9, "x")
    try file.put(SampleLog.header + "\n" + String(repeating: "\n", count: 1000) + behind + "\n")
    try file.advance()
    let before = try #require(try file.last?.lines())
    #expect(before.count == 1)
    #expect(before[0].contains(" 1002 "))
    try file.put(first, at: SampleLog.header.utf8.count + 400)
    try file.advance()
    let line = 1002 - first.utf8.count
    let after = try #require(try file.last?.lines())
    #expect(after.count == 2)
    #expect(after[1].contains(" \(line) "))
    let next = SampleLog.next(1, "a", at: 10, "y")
    try file.put(next + "\n")
    try file.advance()
    #expect(file.last?.analysis.lifecycles[0].last.location.line == line + 1)
    #expect(try #require(try file.last?.lines())[2].contains(" \(line + 1) "))
  }

  @Test("An unfinished line is read once it is complete, or skipped after a while")
  func halfLines() throws {
    let file = try GrowingFile()
    let line = SampleLog.next(1, "a", at: 9, "x")
    try file.put(SampleLog.header + "\n" + line.prefix(40))
    for _ in 0..<20 { try file.advance() }
    #expect(file.last?.elements.total == 0)
    #expect(file.last?.analysis.damage == Damage())
    try file.put(line.dropFirst(40) + "\n" + line.prefix(30) + "\n" + line + "\n")
    try file.advance()
    #expect(file.last?.elements.total == 2)
    #expect(file.last?.analysis.damage.skippedLines == 0)
    let settled = try file.settle()
    #expect(settled.analysis.damage.skippedLines == 1)
    #expect(try file.log.advance() == nil)
    #expect(try file.settle().analysis.damage.skippedLines == 1)
  }

  @Test("A line that is marked as unfinished is read only after it is completed")
  func unfinished() throws {
    let file = try GrowingFile()
    let line = SampleLog.next(1, "a", at: 9, "x")
    let start = SampleLog.header.utf8.count + 1
    try file.put(SampleLog.header + "\n")
    try file.put(line.replacing("\"next\"", with: "\"-ext\"") + "\n", at: start)
    try file.advance()
    try file.put(SampleLog.next(1, "a", at: 12, "y") + "\n{\"t\":14}\n")
    try file.advance()
    #expect(file.last?.elements.total == 1)
    try file.put(line, at: start)
    try file.advance()
    #expect(file.last?.elements.total == 2)
    #expect(try file.settle().analysis.records == 4)
  }

  @Test("A log is missing while its path has no file, even if its old file is still growing")
  func gone() throws {
    let file = try GrowingFile()
    #expect(!file.log.isGone)
    try file.put(SampleLog.header + "\n")
    try file.advance()
    #expect(!file.log.isGone)
    try #require(rename(file.path, file.other) == 0)
    try file.put(SampleLog.subscribe(1, "a", at: 5) + "\n", path: file.other)
    try file.advance()
    #expect(file.last?.analysis.lifecycles.count == 1)
    #expect(file.log.isGone)
    try #require(rename(file.other, file.path) == 0)
    #expect(!file.log.isGone)
  }

  @Test(
    "A pipe in place of a log counts as a missing file, and reading restarts when a file appears")
  func pipeInItsPlace() throws {
    let file = try GrowingFile()
    try file.put(SampleLog.leak)
    try file.advance()
    unlink(file.path)
    try #require(mkfifo(file.path, 0o600) == 0)
    try file.advance()
    #expect(file.log.isGone)
    #expect(file.last?.analysis.lifecycles.count == 4)
    unlink(file.path)
    try file.put(SampleLog.ofAnother(SampleLog.clean, process: 7))
    try file.advance()
    #expect(!file.log.isGone)
    #expect(file.last?.restarts == 1)
    #expect(file.last?.analysis.lifecycles.count == 2)
  }

  @Test("Following a pipe is an error")
  func pipe() throws {
    let file = try GrowingFile()
    try #require(mkfifo(file.path, 0o600) == 0)
    let error = #expect(throws: LogError.self) { try file.log.advance() }
    #expect(error?.sentence.hasPrefix("A pipe cannot be followed.") == true)
  }

  @Test("Following restarts when the file is truncated or replaced")
  func replaced() throws {
    let file = try GrowingFile()
    try file.put(SampleLog.leak)
    try file.advance()
    #expect(file.last?.analysis.lifecycles.count == 4)
    file.cut(to: 0)
    #expect(try file.advance()?.analysis.lifecycles.isEmpty == true)
    #expect(file.last?.restarts == 1)
    try file.put(SampleLog.clean)
    #expect(try file.advance()?.analysis.lifecycles.count == 2)
    // The log is replaced in place by one that is at least as long.
    try file.put(SampleLog.ofAnother(SampleLog.leak, process: 3), at: 0)
    #expect(try file.advance()?.analysis.lifecycles.count == 4)
    #expect(file.last?.restarts == 2)
    try file.put(SampleLog.ofAnother(SampleLog.clean, process: 4), path: file.other)
    rename(file.other, file.path)
    #expect(try file.advance()?.analysis.lifecycles.count == 2)
    #expect(file.last?.restarts == 3)
    unlink(file.path)
    #expect(try file.log.advance() == nil)
    try file.put(SampleLog.ofAnother(SampleLog.leak, process: 5))
    #expect(try file.advance()?.analysis.lifecycles.count == 4)
    #expect(file.last?.restarts == 4)
    #expect(file.last?.analysis.logs.map(\.header?.pid) == [5])
  }

  @Test("Following continues in a file that replaces the log if it belongs to the same log")
  func furtherSegment() throws {
    let file = try GrowingFile()
    let header = String(SampleLog.header.dropLast())
    let alive = SampleLog.subscribe(1, "a", at: 5).replacing("\"subscribe\"", with: "\"alive\"")
    try file.put(header + ",\"segment\":1}\n" + SampleLog.subscribe(1, "a", at: 5) + "\n")
    try file.put(SampleLog.next(1, "a", at: 6, "x") + "\n")
    try file.advance()
    try file.put(
      header + ",\"segment\":2}\n" + alive + "\n" + SampleLog.next(1, "a", at: 7, "y") + "\n",
      path: file.other)
    // The last record in the old file isn't lost.
    try file.put(SampleLog.next(1, "a", at: 6, "z") + "\n")
    rename(file.other, file.path)
    let snapshot = try #require(try file.advance())
    #expect(snapshot.restarts == 0)
    #expect(snapshot.elements.total == 3)
    #expect(snapshot.analysis.lifecycles.map(\.elements) == [3])
  }

  @Test("Following a folder is an error")
  func folder() {
    #expect(throws: LogError.self) {
      try GrowingLog(paths: [NSTemporaryDirectory()], follows: true).advance()
    }
  }
}
