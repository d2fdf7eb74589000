import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ReactiveTrace

@Suite("Log files")
struct LogFileTests {
  @Test("A second recorder with the same path writes to the next free name")
  func twoWriters() throws {
    let log = try TemporaryLog()
    let first = try Recorder(path: log.path)
    let second = try Recorder(path: log.path)
    let third = try Recorder(path: log.path)
    #expect([first.path, second.path, third.path] == [log.path, log.path + ".2", log.path + ".3"])
    second.finish()
    #expect(try Recorder(path: log.path).path == log.path + ".2")
    first.subscription("first").completed()
    first.finish()
    third.finish()
    #expect(try log.text().contains("first"))
  }

  @Test("An existing log that isn't being written is replaced")
  func replaced() throws {
    let log = try TemporaryLog()
    try String(repeating: "old ", count: 100_000).write(
      toFile: log.path, atomically: false, encoding: .utf8)
    let recorder = try Recorder(path: log.path)
    recorder.finish()
    #expect(try log.records().map { $0["event"] as? String } == ["trace", "end"])
  }

  @Test("A log is padded with newlines while it's written and truncated at the end")
  func padding() throws {
    let log = try TemporaryLog()
    let recorder = try Recorder(path: log.path)
    recorder.subscription().next(text: "x")
    #expect(try log.text().hasSuffix("\n\n\n"))
    #expect(try log.records().last?["value"] as? String == "x")
    recorder.finish()
    recorder.finish()
    #expect(try log.text().hasSuffix("\"lost\":0}\n"))
  }

  @Test("A log contains records that are longer than its growth step")
  func longRecords() throws {
    let log = try TemporaryLog()
    let options = Trace.Options(valueLimit: .max)
    let recorder = try Recorder(path: log.path, options: options)
    let subscription = recorder.subscription()
    let long = String(repeating: "é\n\u{2}", count: 150_000)
    for _ in 0..<3 { subscription.next(text: long) }
    subscription.failed(long)
    recorder.finish()
    let records = try log.records()
    #expect(records.filter { $0["value"] as? String == long }.count == 3)
    #expect(records.filter { $0["error"] as? String == long }.count == 1)
  }

  @Test("A log contains values of 10 MB, complete or truncated")
  func largeValues() throws {
    let text = String(repeating: "0123456789", count: 1 << 20)
    for limit in [256, Int.max] {
      let log = try TemporaryLog()
      let recorder = try Recorder(path: log.path, options: Trace.Options(valueLimit: limit))
      let subscription = recorder.subscription()
      subscription.next(text: text)
      subscription.next(text: "small")
      recorder.finish()
      let records = try log.records().filter { $0["event"] as? String == "next" }
      #expect((records.first?["value"] as? String)?.utf8.count == min(limit, text.utf8.count))
      #expect(records.first?["truncated"] as? Int == (limit == 256 ? text.utf8.count : nil))
      #expect(records.last?["value"] as? String == "small")
    }
  }

  @Test("A log is valid UTF-8 even if a string was decoded from invalid bytes")
  func invalidUTF8() throws {
    let log = try TemporaryLog()
    let recorder = try Recorder(path: log.path)
    let broken = String(decoding: [0x61, 0xFF, 0xC3, 0x28, 0xE2, 0x82] as [UInt8], as: UTF8.self)
    recorder.subscription(broken).next(text: broken)
    recorder.mark(broken)
    recorder.finish()
    // Strict decoding throws if the log isn't valid UTF-8.
    let records = try log.records()
    #expect(records.first { $0["event"] as? String == "next" }?["value"] as? String == broken)
    #expect(broken.unicodeScalars.contains("\u{FFFD}"))
  }

  @Test(
    "Starting a log fails for a device, a folder or a missing folder",
    arguments: [
      ("/dev/null", TraceError.Code.notARegularFile, "it is not a regular file"),
      ("/tmp", .cannotWrite, "Is a directory"),
      ("/no/such/folder/log.jsonl", .cannotWrite, "No such file or directory. Create the folder"),
    ])
  func unwritable(path: String, code: TraceError.Code, words: String) {
    let error = #expect(throws: TraceError.self) { try Recorder(path: path) }
    #expect(error?.code == code)
    #expect(error?.path == path)
    #expect(error?.message.contains(words) == true)
  }

  /// A counter of the steps on another thread.
  private final class Steps: Sendable {
    let count = Atomic<Int>(0)
  }

  @Test("A log can end while a queue preallocates space")
  func endedWhilePrepared() throws {
    let log = try TemporaryLog()
    let limit = 64 << 20
    let opened = try OpenedFile(path: log.path, run: nil, limit: limit, isFurther: false) { _ in
      Array("{}\n".utf8)
    }
    let space = FileSpace(opened, limit: limit)
    let steps = Steps()
    // Simulates writers that are always at the end of the space, so the queue prepares all of it.
    space.prepareAhead {
      steps.count.wrappingAdd(1, ordering: .relaxed)
      return limit
    }
    while steps.count.load(ordering: .relaxed) == 0 { sched_yield() }
    let ended = try #require(space.end(by: .max))
    #expect(ended.size < limit)
    space.cut(try #require(ended.file), to: opened.headerSize)
    space.unmap()
    #expect(try log.text() == "{}\n")
  }

  @Test("A path's placeholders are replaced by the process ID and the trace ID")
  func pattern() {
    #expect(
      LogPath.resolve("a-%p-%t-%%-%x-%", .golden)
        == "a-4242-9f0c2d4e8b7a61530f1e2d3c4b5a6978-%-%x-%")
  }
}
