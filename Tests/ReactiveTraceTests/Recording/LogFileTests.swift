import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ReactiveTrace
@testable import TraceAnalysis
@testable import TraceFormat

@Suite("the file of a log")
struct LogFileTests {
  @Test("is left alone by a second writer, which takes the next name")
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

  @Test("is replaced where nobody writes it")
  func replaced() throws {
    let log = try TemporaryLog()
    try String(repeating: "old ", count: 100_000).write(
      toFile: log.path, atomically: false, encoding: .utf8)
    let recorder = try Recorder(path: log.path)
    recorder.finish()
    #expect(try log.records().map { $0["event"] as? String } == ["trace", "end"])
  }

  @Test("is padded with newlines while it is written, and cut when it is finished")
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

  @Test("holds records that are longer than the steps in which it grows")
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

  @Test("holds values of 10 MB, whole or cut")
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

  @Test("is UTF-8 whatever bytes a text was made of")
  func invalidUTF8() throws {
    let log = try TemporaryLog()
    let recorder = try Recorder(path: log.path)
    let broken = String(decoding: [0x61, 0xFF, 0xC3, 0x28, 0xE2, 0x82] as [UInt8], as: UTF8.self)
    recorder.subscription(broken).next(text: broken)
    recorder.mark(broken)
    recorder.finish()
    // Read as UTF-8 without repair.
    let records = try log.records()
    #expect(records.first { $0["event"] as? String == "next" }?["value"] as? String == broken)
    #expect(broken.unicodeScalars.contains("\u{FFFD}"))
  }

  @Test(
    "cannot be a folder, a device, or in a folder that is not there",
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

  /// A number of steps that another thread counts.
  private final class Steps: Sendable {
    let count = Atomic<Int>(0)
  }

  @Test("can be ended between two steps while a queue prepares space for fast writers")
  func endedWhilePrepared() throws {
    let log = try TemporaryLog()
    let limit = 64 << 20
    let opened = try OpenedFile(path: log.path, run: nil, limit: limit, isFurther: false) { _ in
      Array("{}\n".utf8)
    }
    let space = FileSpace(opened, limit: limit)
    let steps = Steps()
    // Writers that are always at the end of the space, so that the queue prepares all of it.
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

  @Test("has the pid and the trace id in its name where the path says so")
  func pattern() {
    #expect(
      LogPath.resolve("a-%p-%t-%%-%x-%", .golden)
        == "a-4242-9f0c2d4e8b7a61530f1e2d3c4b5a6978-%-%x-%")
  }
}
