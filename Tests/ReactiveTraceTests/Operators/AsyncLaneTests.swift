import ReactiveKit
import Testing

@testable import ReactiveTrace
@testable import TraceAnalysis
@testable import TraceFormat

private struct Broken: Error {}

extension ProcessLogTests {
  @Suite("lane of an asynchronous sequence")
  struct AsyncLaneTests {
    private func numbers(_ count: Int) -> AsyncStream<Int> {
      AsyncStream { continuation in
        for number in 0..<count { continuation.yield(number) }
        continuation.finish()
      }
    }

    @Test("writes the elements and the end of an iteration")
    func completed() async throws {
      let log = try ProcessLog()
      var seen: [Int] = []
      for await number in numbers(2).lane("numbers") { seen.append(number) }
      #expect(seen == [0, 1])
      #expect(log.story == ["1 subscribe", "1 next 0", "1 next 1", "1 completed"])
      #expect(try log.subscribe("numbers").type == "Int")
    }

    @Test("each iteration is a subscription")
    func iterations() async throws {
      let log = try ProcessLog()
      let sequence = numbers(0).lane("numbers")
      for await _ in sequence {}
      for await _ in sequence {}
      #expect(log.story == ["1 subscribe", "1 completed", "2 subscribe", "2 completed"])
    }

    @Test("an iteration that is left is disposed")
    func left() async throws {
      let log = try ProcessLog()
      for await number in numbers(3).lane("numbers") where number == 1 { break }
      #expect(log.story == ["1 subscribe", "1 next 0", "1 next 1", "1 disposed"])
    }

    @Test("an error is thrown on and written")
    func failed() async throws {
      let log = try ProcessLog()
      let failing = AsyncThrowingStream<Int, any Error> { $0.finish(throwing: Broken()) }
      await #expect(throws: Broken.self) { for try await _ in failing.lane("failing") {} }
      #expect(log.story == ["1 subscribe", "1 failed Broken()"])
    }

    @Test("a cancelled task disposes its iteration")
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

    @Test("nothing is written where tracing is off")
    func off() async throws {
      var seen = 0
      for await _ in numbers(3).lane(
        "numbers",
        transformValue: { _ in
          Issue.record("A text was made that nobody writes.")
          return ""
        })
      { seen += 1 }
      #expect(seen == 3)
    }
  }
}
