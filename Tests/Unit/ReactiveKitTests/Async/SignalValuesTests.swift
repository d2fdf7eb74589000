import ReactiveKit
import TestSupport
import Testing

@Suite("The elements of a signal as an asynchronous sequence")
struct SignalValuesTests {
  private let subject = PassthroughSubject<Int, TestError>()

  @Test("values drops elements sent before an iterator exists, and buffers later ones")
  func beginning() async throws {
    let values = subject.values
    subject.send(1)
    var iterator = values.makeAsyncIterator()
    subject.send(2)
    subject.send(3)
    subject.send(completion: .finished)
    #expect(try await iterator.next() == 2)
    #expect(try await iterator.next() == 3)
    #expect(try await iterator.next() == nil)
  }

  @Test("values observes the signal once for each iterator")
  func iterators() async throws {
    let values = subject.values
    var first = values.makeAsyncIterator()
    subject.send(1)
    var second = values.makeAsyncIterator()
    subject.send(2)
    #expect(try await first.next() == 1)
    #expect(try await first.next() == 2)
    #expect(try await second.next() == 2)
  }

  @Test("toAsyncStream buffers elements sent after the call")
  func stream() async {
    let subject = PassthroughSubject<Int, Never>()
    subject.send(1)
    let stream = subject.toAsyncStream()
    subject.send(2)
    subject.send(completion: .finished)
    var elements: [Int] = []
    for await element in stream { elements.append(element) }
    #expect(elements == [2])
  }

  @Test("values throws the failure once, after the elements that a limited buffer kept")
  func failure() async throws {
    let policies: [(SignalValues<Int, TestError>.BufferingPolicy, [Int])] = [
      (.unbounded, [1, 2, 3]), (.bufferingOldest(1), [1]), (.bufferingNewest(1), [3]),
    ]
    for (policy, expected) in policies {
      let subject = PassthroughSubject<Int, TestError>()
      var iterator = subject.values(buffering: policy).makeAsyncIterator()
      for element in 1...3 { subject.send(element) }
      subject.send(completion: .failure(TestError()))
      var elements: [Int] = []
      await #expect(throws: TestError()) {
        while let element = try await iterator.next() { elements.append(element) }
      }
      #expect(elements == expected)
      #expect(try await iterator.next() == nil)
    }
  }

  @Test("values ends without an error when its task is canceled")
  func cancellation() async throws {
    let isDisposed = SimpleDisposable()
    let signal = Signal<Int, TestError> { _ in isDisposed }
    let task = Task {
      var iterator = signal.values.makeAsyncIterator()
      return try await iterator.next()
    }
    task.cancel()
    #expect(try await task.value == nil)
    #expect(isDisposed.isDisposed)
  }
}
