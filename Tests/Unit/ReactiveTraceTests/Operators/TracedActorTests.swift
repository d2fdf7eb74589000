import Foundation
import ReactiveKit
import ReactiveTrace
import TestSupport
import Testing

/// Each test runs in its own process, because the runtime's isolation check ends it.
@Suite("Main-actor closures called on another thread", .ownThread)
struct TracedActorTests {
  @Test(
    "Calling a main-actor closure on another thread ends the process",
    arguments: ["lane", "breakpoint"])
  func elsewhere(name: String) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.exitStatus]) {
      [name = name as String] in
      ProcessLimits.endSomeTime()
      try Trace.start(to: [.memory(Trace.MemorySink())])
      let texts = PassthroughSubject<String, Never>()
      let model = TracedModel()
      await name == "lane" ? model.describe(texts) : model.stop(texts)
      onThreads(1) { _ in texts.send("one") }
      exit(0)
    }
    let ended = try #require(result)
    #expect([.signal(SIGILL), .signal(SIGTRAP)].contains(ended.exitStatus))
  }
}

@MainActor private final class TracedModel {
  private var count = 0

  nonisolated init() {}

  func describe(_ texts: PassthroughSubject<String, Never>) {
    let described = texts.lane(
      "texts",
      transformValue: { text in
        self.count += 1
        return text
      })
    _ = described.observe { @Sendable _ in }
  }

  func stop(_ texts: PassthroughSubject<String, Never>) {
    let stopping = texts.breakpoint(receiveOutput: { _ in
      self.count += 1
      return false
    })
    _ = stopping.observe { @Sendable _ in }
  }
}
