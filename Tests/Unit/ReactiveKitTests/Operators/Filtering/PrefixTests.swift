import ReactiveKit
import TestSupport
import Testing

@Suite("prefix(maxLength:)")
struct PrefixTests {
  @Test(
    "prefix(maxLength:) completes after the last element",
    arguments: [
      (count: 2, input: "--1--2--3--|", expected: "--1--(2|)"),
      (count: 5, input: "1-2|", expected: "1-2|"),
      (count: 2, input: "1!", expected: "1!"),
      (count: 2, input: "(123|)", expected: "(12|)"),
    ])
  func elements(count: Int, input: String, expected: String) {
    #expect(marbles(input) { $0.prefix(maxLength: count) } == expected)
  }

  @Test("prefix(maxLength:) disposes its source with the last element")
  func disposal() {
    onStage { stage in
      let source = stage.cold("1-2-3-4|")
      _ = stage.play(source.prefix(maxLength: 2))
      #expect(source.lifetimes == [Lifetime(0, 2)])
    }
  }

  @Test(
    "prefix(maxLength:) doesn't observe its source if the length is zero or negative",
    arguments: [0, -1])
  func zero(count: Int) {
    onStage { stage in
      let source = stage.cold("1|")
      #expect(stage.play(source.prefix(maxLength: count)) == "|")
      #expect(source.lifetimes.isEmpty)
    }
  }

  @Test("prefix(maxLength:) never exceeds its length, even if its observer sends more elements")
  func reentrancy() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = EventRecorder<Int, Never>()
    _ = subject.prefix(maxLength: 3).observe { event in
      recorder.on(event) { if let element = event.element { subject.send(element + 1) } }
    }
    subject.send(1)
    #expect(recorder.drawn == "123|")
  }

  @Test("prefix(maxLength:) doesn't complete if the observer disposes with the last element")
  func disposalInside() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = EventRecorder<Int, Never>()
    let disposable = SerialDisposable(otherDisposable: nil)
    disposable.otherDisposable = subject.prefix(maxLength: 1).observe { event in
      recorder.on(event)
      disposable.dispose()
    }
    subject.send(1)
    #expect(recorder.drawn == "1")
  }

  @Test("first() sends one element")
  func first() {
    #expect(marbles("--1-2|") { $0.first() } == "--(1|)")
    #expect(marbles("--|") { $0.first() } == "--|")
  }
}

@Suite("prefix(while:)")
struct PrefixWhileTests {
  @Test(
    "prefix(while:) completes with the first element that its closure rejects",
    arguments: [
      (isInclusive: false, input: "--1--2--3--1--|", expected: "--1--2--|"),
      (isInclusive: true, input: "--1--2--3--1--|", expected: "--1--2--(3|)"),
      (isInclusive: false, input: "1-2|", expected: "1-2|"),
      (isInclusive: false, input: "1-2!", expected: "1-2!"),
      (isInclusive: false, input: "3", expected: "|"),
    ])
  func elements(isInclusive: Bool, input: String, expected: String) {
    let output = marbles(input) {
      $0.ints.prefix(while: { $0 < 3 }, inclusive: isInclusive)
    }
    #expect(output == expected)
  }

  @Test("prefix(while:) disposes its source when it completes")
  func disposal() {
    onStage { stage in
      let source = stage.cold("1-2-3-4|")
      _ = stage.play(source.ints.prefix(while: { $0 < 2 }))
      #expect(source.lifetimes == [Lifetime(0, 2)])
    }
  }
}

@Suite("prefix(untilOutputFrom:)")
struct PrefixUntilTests {
  @Test(
    "prefix(untilOutputFrom:) completes at any event of the other signal",
    arguments: [
      (source: "--1--2--3--4--|", other: "-------x------|", expected: "--1--2-|"),
      (source: "-1-2-3|", other: "--|", expected: "-1|"),
      (source: "-1-2-3|", other: "--!", expected: "-1|"),
      (source: "-1-2-3|", other: "", expected: "-1-2-3|"),
      (source: "-1!", other: "---x", expected: "-1!"),
    ])
  func elements(source: String, other: String, expected: String) {
    onStage { stage in
      let (source, other) = (stage.cold(source), stage.cold(other))
      #expect(stage.play(source.prefix(untilOutputFrom: other)) == expected)
      let end = expected.count - 1
      #expect(source.lifetimes == [Lifetime(0, end)])
      #expect(other.lifetimes == [Lifetime(0, end)])
    }
  }

  @Test("prefix(untilOutputFrom:) doesn't observe its source if the other signal sends immediately")
  func synchronousOther() {
    onStage { stage in
      let source = stage.cold("1|")
      let signal = source.prefix(untilOutputFrom: Signal<Int, Never>(just: 1))
      #expect(stage.play(signal) == "|")
      #expect(source.lifetimes.isEmpty)
    }
  }
}
