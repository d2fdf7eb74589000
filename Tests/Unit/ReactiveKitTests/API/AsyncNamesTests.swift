import ReactiveKit
import TestSupport
import Testing

@Suite("Names of asynchronous sequences", .ownThread)
struct AsyncNamesTests {
  @Test("A signal converts to an asynchronous stream")
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

  @Test("An asynchronous sequence converts to a signal")
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

  @Test("A signal sends the result, or fails with the error, of an asynchronous closure")
  func awaiting() async {
    let signal = SafeNumbers(await: {
      await Task.yield()
      return 1
    })
    var elements: [Int] = []
    for await element in signal.values { elements.append(element) }
    for await element in signal.values { elements.append(element) }
    #expect(elements == [1, 1])
    let failing = Signal<Int, any Error>(await: {
      await Task.yield()
      throw TestError()
    })
    await #expect(throws: TestError.self) {
      for try await _ in failing.values {}
    }
  }

  @Test("Disposing a signal cancels the task that makes its elements")
  func cancelling() async {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    let signal = SafeNumbers(await: {
      await withTaskCancellationHandler {
        for await _ in stream {}
        return 1
      } onCancel: {
        continuation.finish()
      }
    })
    let (recorder, disposable) = signal.record()
    disposable.dispose()
    // Ends only if the task was canceled.
    for await _ in stream {}
    #expect(recorder.events.isEmpty)
  }

  @Test("Canceling an iterating task disposes the observation")
  func cancellingIteration() async {
    let disposed = AsyncStream<Void>.makeStream()
    let source = SafeNumbers { observer in
      observer.receive(1)
      return BlockDisposable { disposed.continuation.finish() }
    }
    let first = AsyncStream<Void>.makeStream()
    let task = Task {
      for await _ in source.values { first.continuation.finish() }
    }
    for await _ in first.stream {}
    task.cancel()
    for await _ in disposed.stream {}
    await task.value
  }

  @Test("values delivers every element that threads send exactly once")
  func load() async {
    let subject = PassthroughSubject<Int, Never>()
    let values = subject.values
    var iterator = values.makeAsyncIterator()
    onThreads(4) { thread in
      for number in 0..<500 { subject.send(thread * 500 + number) }
    }
    subject.send(completion: .finished)
    var elements: [Int] = []
    while let element = await iterator.next() { elements.append(element) }
    #expect(elements.sorted() == Array(0..<2_000))
    for thread in 0..<4 {
      let own = elements.filter { $0 / 500 == thread }
      #expect(own == own.sorted())
    }
  }
}
