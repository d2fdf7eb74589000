import ReactiveKit
import TestSupport
import Testing

@Suite("flatMap")
struct FlatMapTests {
  private func play(
    _ strategy: FlattenStrategy, _ outer: String, _ inner: [String: String],
    disposeAt second: Int? = nil
  ) -> (drawn: String, outer: [Lifetime], inner: [String: [Lifetime]]) {
    onStage { stage in
      let source = stage.cold(outer)
      let sources = inner.mapValues { stage.cold($0) }
      let signal = source.flatMap(strategy) { sources[$0] ?? stage.cold("|") }
      let drawn = stage.play(signal, disposeAt: second)
      return (drawn, source.lifetimes, sources.mapValues(\.lifetimes))
    }
  }

  @Test("flatMap(.concat) sends one inner signal after another")
  func concat() {
    let result = play(.concat, "--a--b---------|", ["a": "-1---2|", "b": "-3-4|"])
    #expect(result.drawn == "---1---2-3-4---|")
    #expect(result.outer == [Lifetime(0, 15)])
    #expect(result.inner == ["a": [Lifetime(2, 8)], "b": [Lifetime(8, 12)]])
  }

  @Test("flatMap(.concat) completes with the last inner signal if the source has ended")
  func concatEnd() {
    let result = play(.concat, "(aab|)", ["a": "-1|", "b": "2-|"])
    #expect(result.drawn == "-1-12-|")
    #expect(result.outer == [Lifetime(0, 0)])
  }

  @Test("flatMap(.latest) sends only the newest inner signal")
  func latest() {
    let result = play(.latest, "--a---b----|", ["a": "-1-2-3-4|", "b": "-5-6|"])
    #expect(result.drawn == "---1-2-5-6-|")
    #expect(result.inner == ["a": [Lifetime(2, 6)], "b": [Lifetime(6, 10)]])
  }

  @Test("flatMap(.latest) completes with the newest inner signal if the source has ended")
  func latestEnd() {
    let result = play(.latest, "a-(b|)", ["a": "1--2-|", "b": "-5-6|"])
    #expect(result.drawn == "1--5-6|")
    #expect(result.outer == [Lifetime(0, 2)])
  }

  @Test("flatMap(.merge) sends all inner signals at the same time")
  func merge() {
    let result = play(.merge, "--a---b------|", ["a": "-1----2|", "b": "-3-4|"])
    #expect(result.drawn == "---1---324---|")
    #expect(result.inner == ["a": [Lifetime(2, 9)], "b": [Lifetime(6, 10)]])
  }

  @Test("flatMap(.merge) completes with the last inner signal if the source has ended")
  func mergeEnd() {
    let result = play(.merge, "(ab|)", ["a": "1--|", "b": "2----|"])
    #expect(result.drawn == "(12)----|")
  }

  @Test(
    "flatMap completes with a source that sends no elements",
    arguments: [FlattenStrategy.concat, .latest, .merge])
  func noInner(strategy: FlattenStrategy) {
    #expect(play(strategy, "--|", [:]).drawn == "--|")
  }

  @Test(
    "flatMap completes if all inner signals complete immediately",
    arguments: [FlattenStrategy.concat, .latest, .merge])
  func synchronousInner(strategy: FlattenStrategy) {
    let signal = Signal<Int, Never>(sequence: 1...3).flatMap(strategy) {
      Signal<Int, Never>(sequence: [$0, $0])
    }
    #expect(signal.drawn == "112233|")
  }

  @Test(
    "flatMap fails and disposes everything when an inner signal fails",
    arguments: [FlattenStrategy.concat, .latest, .merge])
  func innerFailure(strategy: FlattenStrategy) {
    let result = play(strategy, "a-----|", ["a": "-1!"])
    #expect(result.drawn == "-1!")
    #expect(result.outer == [Lifetime(0, 2)])
    #expect(result.inner == ["a": [Lifetime(0, 2)]])
  }

  @Test(
    "flatMap fails and disposes everything when its source fails",
    arguments: [FlattenStrategy.concat, .latest, .merge])
  func outerFailure(strategy: FlattenStrategy) {
    let result = play(strategy, "a--!", ["a": "-1----2|"])
    #expect(result.drawn == "-1-!")
    #expect(result.inner == ["a": [Lifetime(0, 3)]])
  }

  @Test(
    "flatMap disposes its source and inner signals with the observation",
    arguments: [FlattenStrategy.concat, .latest, .merge])
  func disposal(strategy: FlattenStrategy) {
    let result = play(strategy, "a------|", ["a": "-1----2|"], disposeAt: 3)
    #expect(result.drawn == "-1")
    #expect(result.outer == [Lifetime(0, 3)])
    #expect(result.inner == ["a": [Lifetime(0, 3)]])
  }

  @Test("flatMapLatest disposes the inner signal before it observes the next one")
  func latestOrder() {
    var steps: [String] = []
    let subject = PassthroughSubject<Int, Never>()
    let disposable = subject.flatMapLatest { number in
      Signal<Int, Never>.never().handleEvents(
        receiveSubscription: { steps.append("+\(number)") },
        receiveCancel: { steps.append("-\(number)") })
    }.observeNext { _ in }
    subject.send(1)
    subject.send(2)
    disposable.dispose()
    #expect(steps == ["+1", "-1", "+2", "-2"])
  }

  @Test("flatMapConcat keeps elements that its observer sends to the source")
  func concatReentrancy() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = EventRecorder<Int, Never>()
    _ = subject.flatMapConcat { Signal<Int, Never>(sequence: [$0, $0 * 10]) }.observe { event in
      recorder.on(event) { if event.element == 1 { subject.send(2) } }
    }
    subject.send(1)
    subject.send(completion: .finished)
    #expect(recorder.elements == [1, 10, 2, 20])
    #expect(recorder.isCompleted)
    #expect(recorder.overlapCount == 0)
  }

  @Test(
    "A hundred thousand inner signals that end immediately don't overflow the stack",
    .enabled(if: !isSanitized, "it has one thread, and takes long with a sanitizer"))
  func manyInner() {
    let signal = Signal<Int, Never>(sequence: 1...100_000)
    var sums = [0, 0, 0]
    _ = signal.flatMapConcat { Signal<Int, Never>(just: $0) }.observeNext { sums[0] += $0 }
    _ = signal.flatMapLatest { Signal<Int, Never>(just: $0) }.observeNext { sums[1] += $0 }
    _ = signal.flatMapMerge { Signal<Int, Never>(just: $0) }.observeNext { sums[2] += $0 }
    #expect(sums == Array(repeating: 5_000_050_000, count: 3))
  }

  @Test("Thirty thousand waiting inner signals don't overflow the stack")
  func manyWaiting() {
    let gate = PassthroughSubject<Int, Never>()
    let outer = PassthroughSubject<Signal<Int, Never>, Never>()
    var count = 0
    var isCompleted = false
    _ = outer.flatMapConcat { $0 }.observe { event in
      if event.isNext { count += 1 } else { isCompleted = true }
    }
    outer.send(gate.toSignal())
    for number in 0..<30_000 { outer.send(Signal(just: number)) }
    outer.send(completion: .finished)
    #expect(count == 0)
    gate.send(completion: .finished)
    #expect(count == 30_000)
    #expect(isCompleted)
  }
}
