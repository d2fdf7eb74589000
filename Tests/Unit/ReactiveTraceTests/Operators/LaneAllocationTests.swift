import AllocationCounter
import Foundation
import ReactiveKit
import Testing

@testable import ReactiveTrace
@testable import TraceFormat

/// Returns the number of allocations of this thread in `body`.
private func allocations(_ body: () -> Void) -> Int {
  let before = allocations_of_this_thread()
  body()
  return allocations_of_this_thread() - before
}

/// Returns the lowest number of allocations of this thread in several calls of `body`. While other
/// tests begin to trace, a thread can allocate its context, which it does once.
private func usualAllocations(_ body: () -> Void) -> Int {
  (0..<5).map { _ in allocations(body) }.min() ?? 0
}

@Suite("Allocations of lane", .enabled(if: allocations_of_this_thread() >= 0))
struct LaneAllocationTests {
  private let subject = PassthroughSubject<Int, Never>()

  @Test("The allocation counter counts every allocation")
  func counter() {
    var boxes: [AnyObject] = []
    boxes.reserveCapacity(10)
    #expect(allocations { for _ in 0..<10 { boxes.append(SimpleDisposable()) } } == 10)
  }

  @Test("lane doesn't allocate while tracing is off")
  func off() {
    let plain = subject.toSignal()
    let laned = plain.lane("off", in: nil)
    func observeAndDispose(_ signal: Signal<Int, Never>) -> Int {
      usualAllocations { signal.observe { _ in }.dispose() }
    }
    #expect(observeAndDispose(laned) == observeAndDispose(plain))

    let disposable = laned.observe { _ in }
    #expect(usualAllocations { for number in 0..<1_000 { subject.send(number) } } == 0)
    disposable.dispose()
  }

  private enum Phase: String, CaseIterable, Sendable {
    case idle, loading, loaded
  }

  /// Returns the number of additional allocations that tracing causes when the elements are sent
  /// repeatedly. Each element is sent once before counting. The untraced baseline is necessary
  /// because a debug build allocates to iterate over a generic array.
  private func eventAllocations<Element>(
    _ elements: [Element], _ recorder: Recorder, _ describe: ((Element) -> String)? = nil
  ) -> Int {
    let traced = PassthroughSubject<Element, Never>()
    let untraced = PassthroughSubject<Element, Never>()
    let bag = DisposeBag()
    traced.traced(TraceSite("on", .lane), by: { recorder }, describe)
      .observe { _ in }.dispose(in: bag)
    untraced.observe { _ in }.dispose(in: bag)
    defer { bag.dispose() }
    func sendAll(_ subject: PassthroughSubject<Element, Never>, times: Int) {
      for _ in 0..<times { for element in elements { subject.send(element) } }
    }
    sendAll(traced, times: 1)
    sendAll(untraced, times: 1)
    let baseline = allocations { sendAll(untraced, times: 20) }
    return allocations { sendAll(traced, times: 20) } - baseline
  }

  @Test("lane doesn't allocate for elements of common types")
  func commonTypes() throws {
    let recorder = try RecordedLog().recorder
    #expect(eventAllocations([Int.min, -1, 0, 123_456_789_012], recorder) == 0)
    #expect(eventAllocations([UInt8.max, 0], recorder) == 0)
    #expect(eventAllocations([0.1, -1e300, .infinity, .nan], recorder) == 0)
    #expect(eventAllocations([Float(0.5), 3e-9], recorder) == 0)
    #expect(eventAllocations([true, false], recorder) == 0)
    let long = String(repeating: "long \u{e9} ", count: 12)
    #expect(eventAllocations(["", "short", long], recorder) == 0)
    #expect(eventAllocations([long.dropFirst(), "ab"], recorder) == 0)
    #expect(eventAllocations(["a", "\u{e9}"] as [Character], recorder) == 0)
    #expect(eventAllocations([UUID(), UUID()], recorder) == 0)
    #expect(eventAllocations([1, nil] as [Int?], recorder) == 0)
    #expect(eventAllocations([[1, 2, 3], []], recorder) == 0)
    #expect(eventAllocations([["a", "b"], [long.filter(\.isASCII)]], recorder) == 0)
    #expect(eventAllocations([[true, nil]] as [[Bool?]], recorder) == 0)
    #expect(eventAllocations(Phase.allCases, recorder) == 0)
  }

  @Test("lane doesn't allocate for an event except in the user's formatter")
  func on() throws {
    let log = try RecordedLog()
    let recorder = log.recorder
    #expect(eventAllocations([Int](0..<10), recorder, { _ in "text" }) == 0)
  }
}
