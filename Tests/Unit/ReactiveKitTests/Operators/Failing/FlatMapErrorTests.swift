import ReactiveKit
import TestSupport
import Testing

@Suite("flatMapError")
struct FlatMapErrorTests {
  @Test(
    "flatMapError continues with another signal after a failure",
    arguments: [
      (input: "--1--!", other: "--8--9--|", expected: "--1----8--9--|"),
      (input: "1-|", other: "8|", expected: "1-|"),
      (input: "!", other: "-!", expected: "-!"),
    ])
  func elements(input: String, other: String, expected: String) {
    onStage { stage in
      let other = stage.cold(other)
      #expect(stage.play(stage.cold(input).flatMapError { _ in other }) == expected)
    }
  }

  @Test("flatMapError disposes its source when it fails, and the other signal with the observation")
  func lifetimes() {
    onStage { stage in
      let (source, other) = (stage.cold("1-!"), stage.cold("-8-9-|"))
      #expect(stage.play(source.flatMapError { _ in other }, disposeAt: 4) == "1--8")
      #expect(source.lifetimes == [Lifetime(0, 2)])
      #expect(other.lifetimes == [Lifetime(2, 4)])
    }
  }

  @Test("flatMapError passes the error to its closure, and can change the error type to Never")
  func error() {
    let signal = Signal<String, TestError>.failed(TestError("why"))
    let safe: Signal<String, Never> = signal.flatMapError { Signal(just: $0.name) }
    #expect(safe.elements == ["why"])
  }

  @Test("replaceError sends an element in place of a failure, and completes")
  func replaceError() {
    #expect(marbles("1-!") { $0.replaceError(with: "x") } == "1-(x|)")
    #expect(marbles("1-|") { $0.replaceError(with: "x") } == "1-|")
  }
}

@Suite("mapError")
struct MapErrorTests {
  @Test("mapError fails with the error that its closure returns")
  func error() {
    let signal = Signal<Int, TestError>.failed(TestError("a")).mapError { TestError($0.name + "b") }
    #expect(signal.record().recorder.error == TestError("ab"))
    #expect(marbles("1-2|") { $0.mapError { _ in TestError() } } == "1-2|")
    #expect(marbles("1-2!") { $0.mapError { _ in TestError() } } == "1-2!")
  }

  @Test("castError converts a signal that can't fail to one that can")
  func castError() {
    let signal: Signal<Int, TestError> = Signal<Int, Never>(sequence: 1...2).castError()
    #expect(signal.drawn == "12|")
  }
}
