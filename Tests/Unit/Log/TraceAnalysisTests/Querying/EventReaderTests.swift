import TestSupport
import Testing

@testable import TraceAnalysis
@testable import TraceFormat

@Suite("EventReader")
struct EventReaderTests {
  @Test(
    "Events of a random log match a plain loop",
    arguments: [
      (seed: 1, files: 1, records: 500, disorder: 0), (2, 1, 500, 0), (3, 3, 300, 2000),
      (4, 1, 6000, 0), (5, 2, 5000, 3000), (6, 1, 5000, 5_000_000),
    ])
  func randomLogs(seed: UInt64, files: Int, records: Int, disorder: Int) throws {
    let log = RandomLog(
      seed: seed, files: files, records: records, subscriptions: 60, disorder: disorder)
    let snapshot = try #require(try snapshot(of: log.files, firstBatch: 7000))
    let reader = EventReader(snapshot)
    let all = try RandomLog.events(of: snapshot.analysis)
    var numbers = FixedNumbers(seed: seed)
    for round in 0..<(TestLength.isLong ? 240 : 24) {
      let event = try #require(all.randomElement(using: &numbers))
      let some = Nanoseconds(
        UInt64.random(in: 0...snapshot.analysis.duration.count, using: &numbers))
      let position =
        switch round % 3 {
        case 0: LogEvent.Position(before: some)
        case 1: LogEvent.Position(after: event.time)
        default: event.position
        }
      let share = [1, 2, 7, 120][round % 4]
      let wanted: (Int) -> Bool = { $0 % share == 0 }
      let others = Bool.random(using: &numbers)
      let members = MemberList(snapshot.analysis.lifecycles.indices.filter(wanted))
      let maxCount = Int.random(in: 1...30, using: &numbers)
      let plain = all.filter { $0.lifecycle.map(wanted) ?? others }
      let after = try reader.events(
        after: position, maxCount: maxCount, members: Bool.random(using: &numbers) ? members : nil,
        where: wanted, includesOthers: others)
      #expect(after == Array(plain.filter { $0.position > position }.prefix(maxCount)))
      let before = try reader.events(
        before: position, maxCount: maxCount, members: Bool.random(using: &numbers) ? members : nil,
        where: wanted, includesOthers: others)
      #expect(before == Array(plain.filter { $0.position < position }.suffix(maxCount)))
    }
  }

  @Test("Files are divided at newlines, and each chunk has its line number")
  func chunks() throws {
    let log = RandomLog(seed: 8, files: 2, records: 4000, subscriptions: 90)
    let snapshot = try #require(try snapshot(of: log.files, firstBatch: 50_000))
    let chunks = snapshot.chunks.chunks
    #expect(chunks.count > 10)
    for (index, file) in log.files.enumerated() {
      let bytes = file.bytes(at: .init(line: 1, offset: 0, length: file.size))
      var (line, offset) = (1, 0)
      for chunk in chunks where chunk.file == index && chunk.offset > 0 {
        line += bytes[offset...chunk.offset].count { $0 == 0x0A }
        offset = chunk.offset + 1
        #expect([0x0A, 0x20].contains(bytes[chunk.offset]))
        #expect(bytes[chunk.offset] == 0x20 || chunk.line == line)
      }
    }
  }

  @Test("Long text is truncated between characters and marked as truncated")
  func texts() throws {
    let long = String(repeating: "é👨‍👩‍👧", count: 2000)
    let text = SampleLog.make([
      SampleLog.next(1, "a", at: 1, long), SampleLog.next(1, "a", at: 2, #"\u00e9\n\"x"#),
      SampleLog.next(1, "a", at: 3, String(repeating: #"\ud83d\ude00"#, count: 90)),
    ])
    let snapshot = try #require(
      try snapshot(of: [LogSource(name: "x", bytes: Array(text.utf8))]))
    let events = try EventReader(snapshot, textLimit: 10).events(
      after: .init(before: .zero), maxCount: 9)
    #expect(events.map(\.text) == ["é", "é\n\"x", "😀😀"])
    #expect(events.map(\.isCut) == [true, false, true])
    let location = try #require(events.first?.location)
    #expect(EventReader(snapshot, textLimit: 1 << 20).event(at: location)?.text == long)
  }

  @Test("The fields of a line are listed as they are in the file")
  func fields() throws {
    let line =
      #"""
      {"t":1,"event":"next","sub":1,"new":{"a":[1,"x"]},"value":"a\n\u00e9","none":null,\#
      "big":-1.5e3}
      """#
    let text = SampleLog.make([line])
    let snapshot = try #require(
      try snapshot(of: [LogSource(name: "x", bytes: Array(text.utf8))]))
    let reader = EventReader(snapshot)
    let event = try #require(try reader.events(after: .init(before: .zero), maxCount: 1).first)
    #expect(event.location.line == 2)
    let fields = reader.fields(at: event.location)
    #expect(
      fields.map { "\($0.key)=\($0.value)" } == [
        "t=1", "event=next", "sub=1", #"new={"a":[1,"x"]}"#, "value=a\né", "none=null",
        "big=-1.5e3",
      ])
    #expect(reader.fields(at: .init(line: 1, offset: 3, length: 5)).isEmpty)
    #expect(reader.fields(at: .init(file: 7, line: 1, offset: 3, length: 5)).isEmpty)
    #expect(reader.event(at: .init(file: 7, line: 1, offset: 3, length: 5)) == nil)
  }
}
