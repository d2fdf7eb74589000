import ReactiveKit
import Synchronization

/// Takes the finished lines of a log, each with its newline, one at a time and in their order.
package protocol LineSink: Sendable {
  /// Whether lines may be handed over under a lock: the sink calls no code of a user and waits for nothing.
  var isImmediate: Bool { get }
  func take(_ line: [UInt8])
  func close()
}

/// Brings the lines of all threads into one order, and hands them to the sinks in that order.
///
/// The thread that finds no other at it delivers, its own line and those that come meanwhile; so no thread waits for a
/// sink, and none runs in two threads at once.
package final class SinkLine: Sendable {
  private struct State {
    var waiting = FIFO<[UInt8]>()
    var isDelivering = false
    var count = 0
  }

  private let state = Locked(State())
  private let immediate: [any LineSink]
  private let others: [any LineSink]

  init(_ sinks: [any LineSink]) {
    immediate = sinks.filter { $0.isImmediate }
    others = sinks.filter { !$0.isImmediate }
  }

  /// How many lines there were.
  var count: Int { state.withLock { $0.count } }

  func take(_ line: [UInt8]) {
    state.withLock { state in
      state.count += 1
      for sink in immediate { sink.take(line) }
      if !others.isEmpty { state.waiting.append(line) }
    }
  }

  /// Hands over what waits. What the sinks themselves do to traced signals is not traced.
  func deliver(_ thread: UnsafeMutablePointer<ThreadContext>) {
    guard !others.isEmpty else { return }
    while let line = following() {
      thread.pointee.sinkDepth += 1
      for sink in others { sink.take(line) }
      thread.pointee.sinkDepth -= 1
      state.withLock { $0.isDelivering = false }
    }
  }

  private func following() -> [UInt8]? {
    state.withLock { state in
      guard !state.isDelivering, let line = state.waiting.popFirst() else { return nil }
      state.isDelivering = true
      return line
    }
  }

  /// Hands over the rest and closes the sinks. A sink that is busy on another thread is waited for, for 0.2 seconds.
  func close() {
    let thread = ThreadContext.current
    let clock = LogClock()
    deliver(thread)
    while thread.pointee.sinkDepth == 0, state.withLock({ $0.isDelivering }),
      clock.now < 200_000_000
    {
      LogClock.yield()
      deliver(thread)
    }
    for sink in immediate + others { sink.close() }
  }
}
