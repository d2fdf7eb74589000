import ReactiveKit
import Synchronization
import TraceFormat

/// Takes the finished lines of a log, each with its newline, one at a time and in their order.
package protocol LogSink: Sendable {
  /// Whether lines may be handed over under a lock: the sink calls no code of a user and waits for nothing.
  var isImmediate: Bool { get }
  func take(_ line: [UInt8])
  func close()
}

/// Brings the lines of all threads into one order, and hands them to the sinks in that order.
///
/// The thread that finds no other at it delivers, its own line and those that come meanwhile; so no thread waits for a
/// sink, and none runs in two threads at once.
package final class SinkQueue: Sendable {
  private struct State {
    var waiting = FIFO<[UInt8]>()
    var isDelivering = false
    var count = 0
    /// Set with the last line: what comes later is not taken.
    var isFinished = false
    /// Freed when the log is closed; the recorder may live for longer.
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

  /// Hands over what waits. What the sinks themselves do to traced signals is not traced.
  func deliver(_ thread: UnsafeMutablePointer<ThreadContext>) {
    guard hasOthers else { return }
    while !isAbandoned.load(ordering: .relaxed), let (line, sinks) = following() {
      thread.pointee.sinkDepth += 1
      for sink in sinks { sink.take(line) }
      thread.pointee.sinkDepth -= 1
      // A sink may fork.
      if isAbandoned.load(ordering: .relaxed) { return }
      state.withLock { $0.isDelivering = false }
    }
  }

  private func following() -> (line: [UInt8], sinks: [any LogSink])? {
    state.withLock { state in
      guard !state.isDelivering, let line = state.waiting.popFirst() else { return nil }
      state.isDelivering = true
      return (line, state.others)
    }
  }

  /// Hands over nothing more, and touches no lock: for a child process.
  func abandon() { isAbandoned.store(true, ordering: .relaxed) }

  /// Takes the last lines, hands over the rest and closes the sinks. A sink that is busy on another thread is waited for until
  /// `deadline`; one that stops its own log gets no more.
  func finish(
    _ places: [ObservedPlaces.Resolved], at time: Int, by deadline: Int,
    _ encodeEnd: (inout LineBuffer, _ records: Int) -> Void
  ) {
    var line = LineBuffer()
    defer { line.deallocate() }
    let isFirst = state.withLock(until: deadline) { state in
      guard !state.isFinished else { return false }
      for place in places {
        place.encode(&line, at: time)
        state.take(line.finishedBytes)
      }
      encodeEnd(&line, state.count)
      state.take(line.finishedBytes)
      state.isFinished = true
      return true
    }
    guard isFirst == true else { return }
    let thread = ThreadContext.current
    deliver(thread)
    while thread.pointee.sinkDepth == 0, LogClock.monotonic() < deadline,
      state.withLock({ $0.isDelivering || !$0.waiting.isEmpty })
    {
      LogClock.yield()
      deliver(thread)
    }
    let sinks = state.withLock { state in
      defer { (state.immediate, state.others) = ([], []) }
      return state.immediate + state.others
    }
    for sink in sinks { sink.close() }
  }
}
