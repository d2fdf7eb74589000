import ReactiveKit
import TestSupport
import Testing

@Suite("Future", .ownThread)
struct FutureTests {
  @Test("A future starts once, when it is made, and sends its result to early and late observers")
  func result() {
    var starts = 0
    var keep: Future<Int, TestError>.Promise?
    let future = Future<Int, TestError> { promise in
      starts += 1
      keep = promise
    }
    let (early, disposable) = future.record()
    #expect(starts == 1)
    #expect(early.drawn == "")
    keep?(.success(1))
    keep?(.failure(TestError()))
    #expect(early.drawn == "1|")
    #expect(future.map { $0 + 1 }.drawn == "2|")
    #expect(starts == 1)
    disposable.dispose()
  }

  @Test("A future can fail inside its own closure")
  func failure() {
    #expect(Future<Int, TestError> { $0(.failure(TestError())) }.drawn == "!")
  }

  @Test("A future accepts one result if several threads provide one")
  func threads() {
    for _ in 0..<20 {
      var keep: Future<Int, Never>.Promise?
      let future = Future<Int, Never> { keep = $0 }
      let (recorder, disposable) = future.record()
      let promise = Unchecked(keep)
      onThreads(3) { number in promise.value?(.success(number)) }
      #expect(recorder.elements.count == 1)
      #expect(recorder.isCompleted && recorder.isGrammatical)
      disposable.dispose()
    }
  }

  @Test("A future frees its closure after the promise is deallocated")
  func freed() {
    #expect(isFreed { canary in Future<Int, Never> { _ in canary.sing() } })
  }
}
