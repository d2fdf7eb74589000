import AllocationCounter
import ReactiveKit
import Testing

@testable import ReactiveTrace

/// How often this thread allocates memory in `body`.
private func allocations(_ body: () -> Void) -> Int {
  let before = allocations_of_this_thread()
  body()
  return allocations_of_this_thread() - before
}

@Suite("lane allocates", .enabled(if: allocations_of_this_thread() >= 0))
struct LaneAllocationTests {
  private let subject = PassthroughSubject<Int, Never>()

  @Test("the counter counts")
  func counter() {
    var boxes: [AnyObject] = []
    boxes.reserveCapacity(10)
    #expect(allocations { for _ in 0..<10 { boxes.append(SimpleDisposable()) } } == 10)
  }

  @Test("nothing where tracing is off: neither for an observation nor for an event")
  func off() {
    let plain = subject.toSignal()
    let laned = plain.lane("off", in: nil)
    func observeAndDispose(_ signal: Signal<Int, Never>) -> Int {
      allocations { signal.observe { _ in }.dispose() }
    }
    _ = observeAndDispose(plain)
    _ = observeAndDispose(laned)
    #expect(observeAndDispose(laned) == observeAndDispose(plain))

    let disposable = laned.observe { _ in }
    #expect(allocations { for number in 0..<1_000 { subject.send(number) } } == 0)
    disposable.dispose()
  }

  @Test("nothing for an event where tracing is on, apart from the text of the element")
  func on() throws {
    let log = try RecordedLog()
    let recorder = log.recorder
    let disposable = subject.traced(
      TraceSite(lane: "on", operator: .lane, source: "", function: "", lifetime: .normal),
      by: { recorder }, describe: { _ in "text" }
    ).observe { _ in }
    subject.send(0)
    #expect(allocations { for number in 0..<1_000 { subject.send(number) } } == 0)
    disposable.dispose()
  }
}
