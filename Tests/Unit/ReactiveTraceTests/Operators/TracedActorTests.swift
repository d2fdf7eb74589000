import Foundation
import ReactiveKit
import ReactiveTrace
import TestSupport
import Testing

/// Each test runs in its own process, because the runtime's isolation check ends it.
@Suite("Main-actor closures called on another thread", .ownThread)
struct TracedActorTests {
  @Test("Calling the main-actor closure of a lane on another thread ends the process")
  func lane() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.exitStatus]) {
      try await Self.sendElsewhere { await TracedModel().describe($0) }
    }
    try expectTrap(result)
  }

  @Test("Calling the main-actor closure of a breakpoint on another thread ends the process")
  func breakpoint() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.exitStatus]) {
      try await Self.sendElsewhere { await TracedModel().stop($0) }
    }
    try expectTrap(result)
  }

  private static func sendElsewhere(
    _ observe: (PassthroughSubject<String, Never>) async -> Void
  ) async throws {
    ProcessLimits.endSomeTime()
    try Trace.start(to: [.memory(Trace.MemorySink())])
    let texts = PassthroughSubject<String, Never>()
    await observe(texts)
    onThreads(1) { _ in texts.send("one") }
    exit(0)
  }

  private func expectTrap(_ result: ExitTest.Result?) throws {
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
