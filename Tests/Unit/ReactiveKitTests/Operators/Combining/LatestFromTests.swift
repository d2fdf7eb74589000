import ReactiveKit
import TestSupport
import Testing

@Suite("with(latestFrom:), replayLatest, amb")
struct LatestFromTests {
  @Test(
    "with(latestFrom:) joins each element with the latest element of the other signal",
    arguments: [
      (source: "1---2--3|", other: "--a---b-", expected: "----[2a]--[3b]|"),
      (source: "1-2|", other: "-!", expected: "-!"),
      (source: "--1-2|", other: "a|", expected: "--[1a]-[2a]|"),
      (source: "1-2!", other: "--", expected: "---!"),
    ])
  func withLatestFrom(source: String, other: String, expected: String) {
    onStage { stage in
      let signal = stage.cold(source).signal.with(latestFrom: stage.cold(other).signal, combine: +)
      #expect(stage.play(signal) == expected)
    }
  }

  @Test("replayLatest repeats the latest element when the other signal sends, until both end")
  func replayLatest() {
    onStage { stage in
      let other = stage.cold("-x-x-x-x-x|")
      let signal = stage.cold("--1---2-|").signal
        .replayLatest(when: other.signal.suppressError(logging: false))
      #expect(stage.play(signal) == "--11-122-2|")
      #expect(other.lifetimes == [Lifetime(0, 10)])
    }
  }

  @Test("replayLatest fails and disposes the other signal when its source fails")
  func replayLatestFailing() {
    onStage { stage in
      let other = stage.cold("-x-x-x-x-x")
      let signal = stage.cold("--1--!").signal
        .replayLatest(when: other.signal.suppressError(logging: false))
      #expect(stage.play(signal) == "--11-!")
      #expect(other.lifetimes == [Lifetime(0, 5)])
    }
  }

  @Test("replayLatest observes its source before the signal that triggers replays")
  func replayLatestOrder() {
    let trigger = PassthroughSubject<Void, Never>()
    let (recorder, disposable) = SafeSignal(just: 1).replayLatest(when: trigger).record()
    trigger.send()
    trigger.send()
    #expect(recorder.drawn == "111")
    trigger.send(completion: .finished)
    #expect(recorder.drawn == "111|")
    #expect(Property(1).replayLatest(when: Property(2)).elements == [1, 1])
    disposable.dispose()
  }

  @Test(
    "amb follows the signal that sends first, and disposes the other one",
    arguments: [
      (source: "--1-2|", other: "-a-b|", expected: "-a-b|", first: 1, second: 4),
      (source: "-1-2|", other: "--a|", expected: "-1-2|", first: 4, second: 1),
      (source: "-!", other: "--a|", expected: "-!", first: 1, second: 1),
      (source: "--1", other: "-|", expected: "-|", first: 1, second: 1),
    ])
  func amb(source: String, other: String, expected: String, first: Int, second: Int) {
    onStage { stage in
      let left = stage.cold(source)
      let right = stage.cold(other)
      #expect(stage.play(left.signal.amb(with: right.signal)) == expected)
      #expect(left.lifetimes == [Lifetime(0, first)])
      #expect(right.lifetimes == [Lifetime(0, second)])
    }
  }

  @Test("amb doesn't observe the second signal if the first sends immediately")
  func synchronous() {
    onStage { stage in
      let other = stage.cold("a|")
      #expect(stage.play(Signal<String, TestError>(just: "1").amb(with: other.signal)) == "(1|)")
      #expect(other.lifetimes.isEmpty)
    }
  }

  @Test(
    "Signal(combiningLatest:) sends once every source has sent, and completes with the last one")
  func combiningLatest() {
    onStage { stage in
      let sources = ["1---4|", "-2|", "--3---|"].map { stage.cold($0).signal }
      let signal = Signal(combiningLatest: sources) { $0.joined() }
      #expect(stage.play(signal) == "--[123]-[423]-|")
    }
  }
}
