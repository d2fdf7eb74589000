import ReactiveKit
import TestSupport
import Testing

@testable import ReactiveTrace

extension ProcessLogTests {
  @Suite("Trace.Subscription", .ownThread)
  struct TraceSubscriptionTests {
    private struct Broken: Error {}

    @Test("A subscription records its beginning, its events and one end")
    func life() throws {
      let log = try ProcessLog()
      let upload = Trace.Subscription(name: "upload", type: "Percent")
      upload.event("too early")
      upload.begin()
      upload.begin()
      upload.event("50 %")
      upload.end()
      upload.end(Broken())
      upload.cancel()
      upload.event("too late")
      #expect(log.story == ["1 subscribe", "1 next 50 %", "1 completed"])
      #expect(log.records.first?.type == "Percent")
    }

    @Test("A subscription records whether it failed, was canceled or was released")
    func ends() throws {
      let log = try ProcessLog()
      let failing = Trace.Subscription(name: "a")
      failing.begin()
      failing.end(Broken())
      let cancelled = Trace.Subscription(name: "b")
      cancelled.begin()
      cancelled.cancel()
      do {
        let forgotten = Trace.Subscription(name: "c")
        forgotten.begin()
      }
      #expect(
        log.story == [
          "1 subscribe", "1 failed Broken()", "2 subscribe", "2 disposed", "3 subscribe",
          "3 released",
        ])
    }

    @Test("A subscription is the cause of subscriptions made inside withDelivery")
    func cause() throws {
      let log = try ProcessLog()
      let socket = Trace.Subscription(name: "socket")
      socket.begin()
      socket.withDelivery { Signal<Int, Never>(just: 1).lane("handler").observe { _ in }.dispose() }
      #expect(try log.subscribe("handler").cause == socket.id)
      socket.end()
    }

    @Test("A subscription records every event from many threads")
    func threads() throws {
      let log = try ProcessLog()
      let shared = Trace.Subscription(name: "shared")
      shared.begin()
      onThreads(8) { number in
        for index in 0..<500 { shared.event("\(number):\(index)") }
      }
      #expect(Trace.activeSubscriptions.first { $0.lane == "shared" }?.elements == 4000)
      shared.end()
      #expect(Set(log.records.compactMap(\.value)).count == 4000)
      #expect(log.records.last?.event == .completed)
    }
  }
}
