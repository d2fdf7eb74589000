import ReactiveKit
import TestSupport
import Testing

@Suite("Names of asynchronous sequences")
struct AsyncNamesTests {
  @Test("signals as streams")
  func streams() async throws {
    var elements: [Int] = []
    for await element in safeNumbers.toAsyncStream() { elements.append(element) }
    for await element in safeNumbers.values { elements.append(element) }
    for await element in safeNumbers.values(buffering: .bufferingNewest(1)) {
      elements.append(element)
    }
    let throwing = Signal<Int, any Error>(sequence: [4])
    for try await element in throwing.toAsyncThrowingStream() { elements.append(element) }
    #expect(elements == [1, 2, 3, 1, 2, 3, 3, 4])
    do throws(TestError) {
      for try await element in oneAndFailure.values { elements.append(element) }
      Issue.record("does not throw")
    } catch {
      #expect(error == TestError())
    }
    let failing = oneAndFailure.mapError { $0 as any Error }
    await #expect(throws: TestError.self) {
      for try await _ in failing.toAsyncThrowingStream() {}
    }
  }

  @Test("asynchronous sequences as signals")
  func signals() async {
    let stream = AsyncStream<Int> { continuation in
      for number in 1...3 { continuation.yield(number) }
      continuation.finish()
    }
    var elements: [Int] = []
    for await element in stream.toFullyTypedSignal().values { elements.append(element) }
    #expect(elements == [1, 2, 3])
    let failing = AsyncThrowingStream<Int, any Error> { $0.finish(throwing: TestError()) }
    await #expect(throws: TestError.self) {
      for try await _ in failing.toSignal().values {}
    }
  }
}
