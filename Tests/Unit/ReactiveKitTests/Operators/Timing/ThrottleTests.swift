import ReactiveKit
import TestSupport
import Testing

@Suite("throttle")
struct ThrottleTests {
  private func play(_ input: String, latest: Bool = true, disposeAt second: Int? = nil) -> String {
    onStage { stage in
      stage.play(
        stage.cold(input).throttle(for: 4, scheduler: stage.time, latest: latest),
        disposeAt: second)
    }
  }

  @Test(
    "throttle sends the first element immediately, then the newest element of each interval",
    arguments: [
      (input: "-1-23-------4--|", expected: "-1---3------4--|"),
      (input: "1", expected: "1"),
      (input: "(123)", expected: "1---3"),
      (input: "1-2---3-4----|", expected: "1---2---4----|"),
      (input: "|", expected: "|"),
      (input: "!", expected: "!"),
    ])
  func latest(input: String, expected: String) {
    #expect(play(input) == expected)
  }

  @Test(
    "throttle(latest: false) sends the first element that arrives after each interval",
    arguments: [
      (input: "-1-23-------4--|", expected: "-1----------4--|"),
      (input: "1-2--3--4-5|", expected: "1----3----5|"),
    ])
  func first(input: String, expected: String) {
    #expect(play(input, latest: false) == expected)
  }

  @Test("throttle sends a waiting element on completion, and drops it on failure")
  func end() {
    #expect(play("12-|") == "1--(2|)")
    #expect(play("12-!") == "1--!")
    #expect(play("12-|", latest: false) == "1--|")
  }

  @Test("throttle drops a waiting element when the observation is disposed")
  func disposal() {
    #expect(play("12------|", disposeAt: 2) == "1")
  }

  @Test("throttle keeps its interval even if the observer is slow")
  func slowObserver() {
    let stage = Stage()
    var times: [UInt64] = []
    let disposable = stage.cold("0123456789").throttle(for: 3, scheduler: stage.time)
      .observeNext { _ in
        times.append(stage.time.now / 100_000_000)
        stage.time.advance(by: 0.9)
      }
    stage.time.run()
    #expect(times == [0, 30, 60, 90])
    disposable.dispose()
  }

  @Test("throttle delivers its first event on its scheduler, too")
  func scheduler() {
    for input: [Int] in [[1], []] {
      let time = VirtualScheduler()
      let (recorder, disposable) = SafeSignal(sequence: input).throttle(for: 4, scheduler: time)
        .record()
      #expect(recorder.drawn == "")
      time.advance(by: 0)
      #expect(recorder.drawn == (input.isEmpty ? "|" : "1|"))
      disposable.dispose()
    }
  }
}
