import ReactiveKit
import TestSupport
import Testing

@Suite("The test recorder", .ownThread)
struct RecorderTests {
  @Test("The test recorder detects an observer that is called reentrantly")
  func nesting() {
    let recorder = EventRecorder<Int, Never>()
    recorder.on(.next(1)) { recorder.on(.next(2)) }
    #expect(recorder.overlapCount == 1)
    #expect(recorder.elements == [1, 2])
  }

  @Test("The test recorder detects an observer that two threads call simultaneously")
  func overlap() {
    let recorder = EventRecorder<Int, Never>()
    let (isInside, isOver) = (Flag(), Flag())
    onThreads(2) { number in
      if number == 0 {
        recorder.on(.next(0)) {
          isInside.raise()
          isOver.wait()
        }
      } else {
        isInside.wait()
        recorder.on(.next(1))
        isOver.raise()
      }
    }
    #expect(recorder.overlapCount == 1)
  }

  @Test("The test recorder detects events after the end")
  func grammar() {
    let recorder = EventRecorder<Int, Never>()
    recorder.on(.next(1))
    recorder.on(.completed)
    #expect(recorder.isGrammatical)
    recorder.on(.next(2))
    #expect(!recorder.isGrammatical)
    #expect(recorder.drawn == "1|2")
  }

  @Test("isFreed reports whether a canary was deallocated")
  func canary() {
    #expect(isFreed { $0.sing() })
    #expect(!isFreed { canary in { canary.sing() } })
  }
}
