import Testing

@testable import ReactiveTrace

private struct Broken: Error {}

extension ProcessLogTests {
  @Suite("Lanes of asynchronous sequences")
  struct AsyncLaneTests {
    private func numbers(_ count: Int) -> AsyncStream<Int> {
      AsyncStream { continuation in
        for number in 0..<count { continuation.yield(number) }
        continuation.finish()
      }
    }

    @Test("lane records the elements and the completion of an iteration")
    func completed() async throws {
      let log = try ProcessLog()
      var seen: [Int] = []
      for await number in numbers(2).lane("numbers") { seen.append(number) }
      #expect(seen == [0, 1])
      #expect(log.story == ["1 subscribe", "1 next 0", "1 next 1", "1 completed"])
      #expect(try log.subscribe("numbers").type == "Int")
    }

    @Test("Each iteration is recorded as a subscription of its own")
    func iterations() async throws {
      let log = try ProcessLog()
      let sequence = numbers(0).lane("numbers")
      for await _ in sequence {}
      for await _ in sequence {}
      #expect(log.story == ["1 subscribe", "1 completed", "2 subscribe", "2 completed"])
    }

    @Test("Leaving an iteration early is recorded as disposed")
    func left() async throws {
      let log = try ProcessLog()
      for await number in numbers(3).lane("numbers") where number == 1 { break }
      #expect(log.story == ["1 subscribe", "1 next 0", "1 next 1", "1 disposed"])
    }

    @Test("An error is recorded and rethrown")
    func failed() async throws {
      let log = try ProcessLog()
      let failing = AsyncThrowingStream<Int, any Error> { $0.finish(throwing: Broken()) }
      await #expect(throws: Broken.self) { for try await _ in failing.lane("failing") {} }
      #expect(log.story == ["1 subscribe", "1 failed Broken()"])
    }

    @Test("Canceling the task is recorded as disposing the iteration")
    func cancelled() async throws {
      let log = try ProcessLog()
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let task = Task { for await _ in stream.lane("endless") {} }
      continuation.yield(1)
      while !log.story.contains("1 next 1") { await Task.yield() }
      task.cancel()
      await task.value
      #expect(log.story == ["1 subscribe", "1 next 1", "1 disposed"])
    }

    @Test("An iteration isn't recorded or described while tracing is off")
    func off() async throws {
      var seen = 0
      for await _ in numbers(3).lane(
        "numbers",
        transformValue: { _ in
          Issue.record("The formatter was called while tracing is off.")
          return ""
        })
      { seen += 1 }
      #expect(seen == 3)
    }
  }
}
