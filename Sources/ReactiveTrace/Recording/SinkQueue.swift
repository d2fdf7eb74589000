import ReactiveKit
import Synchronization
import SystemLibrary
import TraceFormat

/// A queue that puts the lines of all threads in one order and delivers them to the sinks in that
/// order.
///
/// If no other thread is delivering, a thread delivers its own line and all lines that arrive in
/// the meantime. Other threads don't wait for a sink, and a sink never runs on two threads
/// simultaneously.
package final class SinkQueue: Sendable {
  private struct State {
    var waiting = FIFO<[UInt8]>()
    var isDelivering = false
    var count = 0
    /// A Boolean value that is set with the last line. Later lines are ignored, and only the thread
    /// that closes the log still delivers lines.
    var isFinished = false
    /// The sinks, which are released when the log is closed, because the recorder can live longer.
    var immediate: [any LogSink]
    var others: [any LogSink]

    mutating func take(_ line: [UInt8]) {
      count += 1
      for sink in immediate { sink.take(line) }
      if !others.isEmpty { waiting.append(line) }
    }
  }

  private let state: Guarded<State>
  private let hasOthers: Bool
  private let isAbandoned = Atomic<Bool>(false)

  init(_ sinks: [any LogSink]) {
    let others = sinks.filter { !$0.isImmediate }
    hasOthers = !others.isEmpty
    state = Guarded(State(immediate: sinks.filter { $0.isImmediate }, others: others))
  }

  func take(_ line: [UInt8]) {
    state.withLock { if !$0.isFinished { $0.take(line) } }
  }

  /// Delivers the waiting lines. Events that the sinks themselves cause aren't traced.
  func deliver(_ thread: UnsafeMutablePointer<ThreadContext>) {
    deliver(thread, isLast: false)
  }

  private func deliver(_ thread: UnsafeMutablePointer<ThreadContext>, isLast: Bool) {
    guard hasOthers else { return }
    while !isAbandoned.load(ordering: .relaxed), let (line, sinks) = following(isLast) {
      thread.pointee.sinkDepth += 1
      for sink in sinks { sink.take(line) }
      thread.pointee.sinkDepth -= 1
      // A sink can fork, and the child must not touch the lock.
      if isAbandoned.load(ordering: .relaxed) { return }
      state.withLock { $0.isDelivering = false }
    }
  }

  private func following(_ isLast: Bool) -> (line: [UInt8], sinks: [any LogSink])? {
    state.withLock { state in
      guard !state.isDelivering, isLast == state.isFinished, let line = state.waiting.popFirst()
      else { return nil }
      state.isDelivering = true
      return (line, state.others)
    }
  }

  /// Stops delivering lines, without touching a lock. This is for a child process.
  func abandon() { isAbandoned.store(true, ordering: .relaxed) }

  /// Adds the last lines, delivers all waiting lines and closes the sinks. Waits until `deadline`
  /// for a sink that receives a line on another thread. A sink that stops its own log doesn't
  /// receive more lines.
  func finish(
    _ locations: [ObservationLocations.Resolved], at time: Int, by deadline: Int,
    _ encodeEnd: (inout LineBuffer, _ records: Int) -> Void
  ) {
    var line = LineBuffer()
    defer { line.deallocate() }
    let isFirst = state.withLock(until: deadline) { state in
      guard !state.isFinished else { return false }
      for location in locations {
        location.encode(&line, at: time)
        state.take(line.finishedBytes)
      }
      encodeEnd(&line, state.count)
      state.take(line.finishedBytes)
      state.isFinished = true
      return true
    }
    guard isFirst == true else { return }
    let thread = ThreadContext.current
    while true {
      let isLate = LogClock.monotonic() >= deadline
      deliver(thread, isLast: true)
      guard !isLate, thread.pointee.sinkDepth == 0,
        state.withLock({ $0.isDelivering || !$0.waiting.isEmpty })
      else { break }
      LogClock.yield()
    }
    let sinks = state.withLock { state in
      defer { (state.immediate, state.others) = ([], []) }
      return state.immediate + state.others
    }
    for sink in sinks { sink.close() }
  }
}
