import TestSupport
import Testing

@testable import ReactiveTrace

extension ProcessLogTests {
  @Suite("Trace")
  struct TraceTests {
    @Test("Trace starts and stops repeatedly and numbers subscriptions from 1 in each log")
    func cycles() throws {
      #expect(!Trace.isOn)
      for _ in 0..<3 {
        let log = try TemporaryLog()
        try Trace.start(log.path)
        #expect(Trace.isOn)
        #expect(Trace.path == log.path)
        let recorder = try #require(Recorder.current)
        let subscription = recorder.subscription()
        #expect(subscription.id == 1)
        Trace.stop()
        Trace.stop()
        #expect(!Trace.isOn)
        #expect(Trace.path == nil)
        let size = try log.text().utf8.count
        subscription.next(text: "after the end")
        subscription.completed()
        #expect(subscription.hasEnded)
        #expect(try log.text().utf8.count == size)
      }
    }

    @Test("Starting a second log fails while one is running")
    func second() throws {
      let log = try TemporaryLog()
      try Trace.start(log.path)
      let error = #expect(throws: TraceError.self) { try Trace.start(log.path + ".other") }
      #expect(error?.code == .alreadyWriting)
      Trace.stop()
    }

    @Test("Tracing is off after a failed start and can be started again")
    func failedStart() throws {
      #expect(throws: TraceError.self) { try Trace.start("/no/such/folder/log.jsonl") }
      #expect(!Trace.isOn)
      let log = try TemporaryLog()
      try Trace.start(log.path, options: Trace.Options(valueLimit: 3))
      Recorder.current?.subscription().next(text: "abcdef")
      Trace.stop()
      let value = try log.records().first { $0["event"] as? String == "next" }
      #expect(value?["value"] as? String == "abc")
      #expect(value?["truncated"] as? Int == 6)
    }

    @Test("An element isn't described if it isn't written")
    func noDescription() throws {
      let log = try TemporaryLog()
      let recorder = try Recorder(path: log.path)
      let subscription = recorder.subscription()
      subscription.disposed()
      var asked = 0
      func text() -> String {
        asked += 1
        return ""
      }
      let writer = ValueWriter<Int>.text { _ in text() }
      subscription.next(1, writer)
      let other = recorder.subscription()
      recorder.finish()
      other.next(1, writer)
      #expect(asked == 0)
    }
  }
}
