import Foundation
import TestSupport
import Testing

@testable import ReactiveTrace
@testable import SystemLibrary

/// A signal handler can interrupt its thread anywhere, even while the thread holds a lock.
@Suite("Signal handlers that interrupt the recorder", .ownThread)
struct SignalHandlerTests {
  /// Runs `body` while this thread holds a lock of the recorder, like an interrupting signal
  /// handler.
  private func interrupted(_ body: () -> Void) {
    Guarded(0).withLock { _ in body() }
  }

  @Test("Records from a signal handler that interrupts the recorder are counted as lost")
  func lost() throws {
    let log = try TemporaryLog()
    let recorder = try Recorder(path: log.path)
    let subscription = recorder.subscription("a")
    let ending = recorder.subscription("b")
    subscription.next(text: "before")
    interrupted {
      subscription.next(text: "lost")
      subscription.next(integer: 1)
      subscription.nextSilently()
      recorder.mark("lost")
      let scope = recorder.beginScope("lost")
      recorder.endScope(scope)
      recorder.subscription("lost").next(text: "not even counted")
      ending.disposed()
    }
    subscription.next(text: "after")
    subscription.completed()
    recorder.finish()
    let records = try log.records()
    #expect(records.compactMap { $0["value"] as? String }.dropFirst() == ["before", "after"])
    #expect(!records.contains { $0["name"] as? String == "lost" })
    #expect(!records.contains { $0["lane"] as? String == "lost" })
    let end = try #require(records.last)
    #expect(end["lost"] as? Int == 8)
    #expect(end["records"] as? Int == records.count - 1)
    let lost = try #require(records.dropLast().last)
    #expect(lost["count"] as? Int == 8)
    #expect((lost["reason"] as? String)?.contains("signal handler") == true)
  }

  @Test("Sinks receive the number of records lost in a signal handler")
  func lostForSinks() throws {
    let memory = Trace.MemorySink()
    let recorder = try Recorder(path: nil, sinks: [memory])
    interrupted { recorder.mark("lost") }
    recorder.finish()
    #expect(memory.lines.last?.contains("\"lost\":1}") == true)
  }

  // Serialized because a test locks the global list of threads for longer than others wait.
  @Test(
    "A signal handler can end the log regardless of the lock that its thread holds",
    .serialized, arguments: ["growth", "threads", "nothing"])
  func ends(held: String) throws {
    let log = try TemporaryLog()
    let recorder = try Recorder(path: log.path)
    // A handler doesn't free memory, because its process is about to end.
    defer { recorder.liveSubscriptions.removeAll() }
    recorder.subscription("a").next(text: "kept")
    let file = try #require(recorder.writer?.current)
    switch held {
    case "growth": file.withoutGrowth { recorder.finish() }
    case "threads":
      // The deadline has passed, so `finish` doesn't wait.
      let passed = LogClock.monotonic()
      _ = WritingThread.forEach(until: .max, { _ in }, finally: { recorder.finish(by: passed) })
    default: interrupted { recorder.finish() }
    }
    let records = try log.records()
    #expect(records.contains { $0["value"] as? String == "kept" })
    // If the threads can't be counted, the log doesn't have an end record, as after a kill.
    #expect((records.last?["event"] as? String == "end") == (held != "threads"))
    #expect(!recorder.isOpen)
  }
}
