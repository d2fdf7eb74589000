import ReactiveKit
import TestSupport
import Testing

@Suite("Signals with intervals")
struct TimersTests {
  @Test("A sequence with an interval ends one interval after its last element")
  func sequence() {
    onStage { stage in
      #expect(
        stage.play(SafeSignal(sequence: 1...3, interval: 2, scheduler: stage.time)) == "--1-2-3-|")
    }
    onStage { stage in
      #expect(
        stage.play(SafeSignal<Int>(sequence: [], interval: 2, scheduler: stage.time)) == "--|")
    }
  }

  @Test("A sequence with an interval is asked for an element only when the element is due")
  func due() {
    onStage { stage in
      var asked: [Int] = []
      let seconds = AnySequence {
        AnyIterator { () -> Int? in
          asked.append(stage.time.second)
          return asked.count < 4 ? stage.time.second : nil
        }
      }
      #expect(
        stage.play(SafeSignal(sequence: seconds, interval: 2, scheduler: stage.time))
          == "--2-4-6-|")
      #expect(asked == [2, 4, 6, 8])
    }
  }

  /// Returns a scheduler whose time is so late that adding the longest interval would overflow.
  private func late() -> VirtualScheduler {
    let time = VirtualScheduler()
    for _ in 0..<2 { time.advance(by: 1e10) }
    return time
  }

  @Test("An interval that exceeds the maximum time ends at the maximum time")
  func endOfTime() {
    let time = late()
    let source = SafeSignal<Int>.never().prepend(1)
    let operators: [SafeSignal<Int>] = [
      source.debounce(for: 1e10, scheduler: time), source.delay(interval: 1e10, scheduler: time),
      source.sample(interval: 1e10, scheduler: time),
      source.throttle(for: 1e10, scheduler: time),
      source.castError().timeout(after: 1e10, with: TestError(), scheduler: time)
        .suppressError(logging: false),
      SafeSignal(sequence: [1], interval: 1e10, scheduler: time),
    ]
    let recorders = operators.map { $0.record().recorder }
    time.run()
    #expect(recorders.map(\.drawn) == ["1", "1", "", "1", "1|", "1|"])
    #expect(time.now == .max)
  }

  @Test("A sequence with the maximum interval is sent to its end")
  func longest() {
    let time = VirtualScheduler()
    let (recorder, disposable) = SafeSignal(sequence: 1...5, interval: 1e10, scheduler: time)
      .record()
    time.run()
    #expect(recorder.drawn == "12345|")
    disposable.dispose()
  }
}
