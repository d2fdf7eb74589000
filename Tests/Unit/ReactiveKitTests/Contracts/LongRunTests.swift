import AllocationCounter
import Foundation
import ReactiveKit
import TestSupport
import Testing

/// A sanitizer takes minutes for a deep stack, and a debug build nearly as long. With a sanitizer,
/// allocations aren't counted.
private let isShort = allocations_of_this_thread() < 0 || !TestLength.isLong

#if DEBUG
  private let million = isShort ? 10_000 : 100_000
#else
  private let million = 1_000_000
#endif

/// The contracts of long chains and long runs, by their numbers in Contracts.md.
@Suite("Contracts of long chains and runs", .ownThread)
struct LongRunTests {
  private typealias Source = Signal<Int, TestError>

  @Test(
    "Contract 7: The cost of an event doesn't grow with the number of earlier events",
    .enabled(if: allocations_of_this_thread() >= 0, "allocations are not counted here"),
    arguments: OperatorCase.all)
  func constantCost(_ operation: OperatorCase) {
    let time = VirtualScheduler()
    let subject = PassthroughSubject<Int, TestError>()
    let disposable = operation.apply(subject.toSignal(), time).observe { _ in }
    var number = 0
    func allocations(_ events: Int) -> Int {
      let before = allocations_of_this_thread()
      for _ in 0..<events {
        number += 1
        subject.send(number)
      }
      time.advance(by: 2)
      return allocations_of_this_thread() - before
    }
    _ = allocations(1_000)
    let early = allocations(1_000)
    _ = allocations(isShort ? 2_000 : 10_000)
    let late = allocations(1_000)
    // Growing storage (`collect`, a replay without limit) sometimes gets a larger block.
    #expect(late <= early + early / 10 + 4)
    disposable.dispose()
  }

  @Test(
    "Contract 8: A chain of ten thousand operators can be made, observed, used and freed",
    arguments: OperatorCase.all)
  func longChain(_ operation: OperatorCase) {
    let length = isShort ? min(500, operation.chainLength) : operation.chainLength
    // The frames of a debug build are about five times as large as those of a release build.
    onThread(stackSize: 128 << 20) {
      let time = VirtualScheduler()
      let subject = PassthroughSubject<Int, TestError>()
      let isFreed = isFreed { canary in
        var signal = subject.toSignal().handleEvents(receiveOutput: { _ in canary.sing() })
        for _ in 0..<length { signal = operation.apply(signal, time) }
        let recorder = EventRecorder<Int, TestError>()
        let disposable = signal.observe { recorder.on($0) }
        subject.send(1)
        disposable.dispose()
        subject.send(2)
        #expect(recorder.isGrammatical)
      }
      #expect(isFreed)
      // Pending work retains the chain, and the chain retains the scheduler. Running the work
      // releases both.
      time.advance(by: 2)
    }
  }

  @Test("Contract 9: A source that fails immediately can be retried a million times")
  func retry() {
    var attempts = 0
    let source = Source { observer in
      attempts += 1
      observer.receive(completion: .failure(TestError()))
      return NonDisposable.instance
    }
    #expect(source.retry(million).waitAndCollectEvents() == [.failed(TestError())])
    #expect(attempts == million + 1)
    attempts = 0
    let limited = SafeSignal(deferring: { SafeSignal(just: 0) })
    let retried = source.retry(when: limited, if: { _ in attempts < million })
    #expect(retried.waitAndCollectEvents() == [.failed(TestError())])
    #expect(attempts == million)
  }

  @Test(
    "Contract 9: A million signals that complete immediately can be joined",
    arguments: ["concat", "latest", "merge"])
  func flatten(_ strategy: String) {
    let strategies: [String: FlattenStrategy] = [
      "concat": .concat, "latest": .latest, "merge": .merge,
    ]
    var count = 0
    let signals = Source(sequence: 0..<million).map { Source(just: $0) }
    let disposable = signals.flatten(strategies[strategy] ?? .concat).observeNext { _ in count += 1
    }
    #expect(count == million)
    #expect(disposable.isDisposed)
  }

  @Test("Contract 9: A signal that completes immediately can be repeated a million times")
  func repeated() {
    var count = 0
    let repeated = Source(just: 1).handleEvents(receiveOutput: { _ in count += 1 }).repeat { _ in
      count < million ? SafeSignal(just: 0) : SafeSignal.completed()
    }
    #expect(repeated.ignoreOutput().waitAndCollectEvents() == [.completed])
    #expect(count == million)
  }

  @Test("Contract 9: A million elements can be sent, each by an observer of the previous one")
  func reentrantSends() {
    let subject = PassthroughSubject<Int, Never>()
    var last = 0
    let disposable = subject.observeNext { number in
      last = number
      if number < million { subject.send(number + 1) }
    }
    subject.send(1)
    #expect(last == million)
    disposable.dispose()
  }

  @Test("Contract 9: Ten thousand signals that complete immediately can be appended to one another")
  func appending() {
    onThread(stackSize: 64 << 20) {
      var signal = Source(just: 1)
      for _ in 0..<(isShort ? 500 : 10_000) {
        signal = signal.append(Source(just: 1))
      }
      var count = 0
      let disposable = signal.observeNext { count += $0 }
      #expect(count == (isShort ? 501 : 10_001))
      disposable.dispose()
    }
  }

  @Test("Contract 9: A long list of signals can be joined")
  func flatteningArray() {
    let signals = Array(repeating: Source(just: 1), count: 10_000)
    for strategy: FlattenStrategy in [.concat, .latest, .merge] {
      var count = 0
      let disposable = Signal(flattening: signals, strategy: strategy).observeNext { count += $0 }
      #expect(count == 10_000)
      disposable.dispose()
    }
  }

  private func onThread(stackSize: Int, _ body: @escaping () -> Void) {
    #expect(onAnotherThread(stackSize: stackSize, body))
  }
}
