import ReactiveKit
import TestSupport
import Testing

@Suite("Operators on failures")
struct ErrorsTests {
  @Test("suppressError completes instead of failing, and toErrorSignal sends the error")
  func suppress() {
    #expect(marbles("1-!") { $0.suppressError(logging: false) } == "1-|")
    #expect(marbles("1-|") { $0.suppressError(logging: false) } == "1-|")
    #expect(marbles("1-!") { $0.toErrorSignal().map { _ in "e" } } == "--(e|)")
    #expect(marbles("1-|") { $0.toErrorSignal().map { _ in "e" } } == "--|")
  }

  @Test("branchOutError observes its source once for both branches")
  func branch() {
    onStage { stage in
      let source = stage.hot("1-!")
      let (elements, errors) = source.signal.branchOutError { _ in "e" }
      let first = stage.watch(elements)
      let second = stage.watch(errors)
      stage.time.run()
      #expect(first.drawn == "1-|")
      #expect(second.drawn == "--(e|)")
      #expect(source.lifetimes == [Lifetime(0, 2)])
    }
  }

  @Test("tryMap fails with the first error, and disposes its source")
  func tryMap() {
    onStage { stage in
      let source = stage.cold("1-2-3|")
      let signal = source.signal.tryMap { element -> Result<String, TestError> in
        element == "2" ? .failure(TestError()) : .success(element)
      }
      #expect(stage.play(signal) == "1-!")
      #expect(source.lifetimes == [Lifetime(0, 2)])
    }
  }

  @Test("retry(when:) waits for the other signal, and gives up when that completes")
  func retryWhen() {
    onStage { stage in
      let source = stage.cold("1!")
      let other = stage.cold("--x|").signal.suppressError(logging: false)
      #expect(stage.play(source.signal.retry(when: other).prefix(maxLength: 3)) == "1--1--(1|)")
      #expect(source.lifetimes == [Lifetime(0, 1), Lifetime(3, 4), Lifetime(6, 6)])
    }
    onStage { stage in
      let other = stage.cold("--|").signal.suppressError(logging: false)
      #expect(stage.play(stage.cold("1!").signal.retry(when: other)) == "1--!")
    }
    #expect(marbles("1!") { $0.retry(when: SafeSignal<Int>.never(), if: { _ in false }) } == "1!")
  }

  @Test("Disposal ends the wait of retry(when:)")
  func disposal() {
    onStage { stage in
      let other = stage.cold("-----x|")
      let signal = stage.cold("1!").signal.retry(when: other.signal.suppressError(logging: false))
      #expect(stage.play(signal, disposeAt: 3) == "1")
      #expect(other.lifetimes == [Lifetime(1, 3)])
    }
  }
}
