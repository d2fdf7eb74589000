import TestSupport
import Testing

@testable import ReactiveKit

@Suite("Trampoline")
struct TrampolineTests {
  @Test("A trampoline runs a step as often as requested, one run at a time")
  func loop() {
    let trampoline = Trampoline()
    var depth = 0
    var deepest = 0
    var runs = 0
    func step() {
      trampoline.run {
        depth += 1
        deepest = max(deepest, depth)
        runs += 1
        if runs < 5 { step() }
        depth -= 1
      }
    }
    step()
    #expect(runs == 5)
    #expect(deepest == 1)
  }

  @Test("A trampoline returns to its caller after many runs, and continues on a queue")
  func limitedRun() async {
    let trampoline = Trampoline(maxRunCount: 10)
    let runs = Locked(0)
    var runsOfCaller = 0
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      func step() {
        trampoline.runLimited {
          let count = runs.withLock { runs in
            runs += 1
            return runs
          }
          if count == 35 { return continuation.resume() }
          step()
        }
      }
      step()
      runsOfCaller = min(runs.withLock { $0 }, 10)
    }
    #expect(runsOfCaller == 10)
    #expect(runs.withLock { $0 } == 35)
  }

  @Test("A trampoline stops if the last of many runs doesn't request another one")
  func exactly() {
    let trampoline = Trampoline(maxRunCount: 3)
    var runs = 0
    func step() {
      trampoline.runLimited {
        runs += 1
        if runs % 3 != 0 { step() }
      }
    }
    step()
    #expect(runs == 3)
    step()
    #expect(runs == 6)
  }
}
