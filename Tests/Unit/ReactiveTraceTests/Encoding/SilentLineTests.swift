import Foundation
import TestSupport
import Testing

@testable import ReactiveTrace
@testable import TraceFormat

@Suite("Element records without a value")
struct SilentLineTests {
  private static let lanes =
    (0...40).map { String(repeating: "x", count: $0) }
    + (1...20).map { String(repeating: "é", count: $0) + "\"" }
    + ["\n", "a\\b", "👍👍👍👍", "a lane that is \"long\" \u{1} and has é漢👍 in it, up to its end"]

  @Test(
    "A template for elements without values produces the same bytes as the encoder",
    arguments: [0, 12, 1 << 52])
  func same(time: Int) {
    for (index, lane) in Self.lanes.enumerated() {
      let (id, thread) = (index * 37 + 1, index % 3 * 50 + 1)
      var line = LineBuffer()
      defer { line.deallocate() }
      line.begin(at: time, .next)
      line.integer(.sub, id)
      line.text(.lane, lane)
      line.integer(.thread, thread)
      line.end()
      let expected = line.finishedBytes

      let next = ElementLineTemplate(id, lane, withValues: false, &line)
      defer { next.free() }
      let rest = Array("\",\"thread\":\(thread)}".utf8)
      let words = (rest + [UInt8](repeating: 0, count: 16)).withUnsafeBytes {
        ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      }
      let memory = Memory(expected.count + 64)
      next.publish(LinePrefix(time), .empty, rest: words, rest.count, to: memory.start)
      #expect(memory.bytes.prefix(expected.count) == expected[...], "\(lane)")
      #expect(memory.bytes.dropFirst(expected.count).allSatisfy { $0 == 0x0A })
    }
  }

  @Test("A template leaves a complete JSON object after each publishing step")
  func steps() throws {
    for lane in Self.lanes {
      var line = LineBuffer()
      defer { line.deallocate() }
      let whole = line.encode { line in
        line.event(.next)
        line.integer(.sub, 12345)
        line.openText(.lane)
        line.fillOpenText(lane)
      }
      let memory = Memory(whole.bytes.count + 96)
      LinePrefix(7).publish(to: memory.start)
      let slot = memory.start + LinePrefix(7).count
      let steps = LinePublisher.steps(of: whole)
      for step in steps {
        ByteWord.store(step.low, step.high, to: slot, at: step.offset)
        let object = try JSONSerialization.jsonObject(with: Data(memory.bytes))
        let record = try #require(object as? [String: Any])
        #expect(record["event"] as? String == "-ext")
        #expect(lane.unicodeScalars.starts(with: (record["lane"] as? String ?? "").unicodeScalars))
      }
    }
  }

  @Test("A log without values records every element on the fast path")
  func recorded() throws {
    let log = try TemporaryLog()
    let recorder = try Recorder(path: log.path, options: Trace.Options(recordsValues: false))
    let subscription = recorder.subscription("a \"lane\" of some length")
    for _ in 0..<1000 { subscription.nextSilently() }
    subscription.next(text: "told all the same")
    subscription.completed()
    recorder.finish()
    let records = try log.records().filter { $0["event"] as? String == "next" }
    #expect(records.count == 1001)
    #expect(records.allSatisfy { $0["lane"] as? String == "a \"lane\" of some length" })
    #expect(records.allSatisfy { $0["thread"] as? Int != nil })
    #expect(records.compactMap { $0["value"] as? String } == ["told all the same"])
    #expect(try log.records().last?["records"] as? Int == log.records().count - 1)
  }
}
