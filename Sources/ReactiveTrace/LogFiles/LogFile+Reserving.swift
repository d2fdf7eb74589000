import Synchronization
import TraceFormat
import TraceShims

extension LogFile {
  /// The reasons why there is no space for a line.
  enum Refusal {
    /// The log is closed.
    static let closed = -1
    /// The disk is full, and the record was counted as lost.
    static let full = -2
    /// The file has reached its maximum size. The next file may take the line.
    static let beyond = -3
  }

  /// True if the system has the barrier that lets threads use chunks without one of their own. See
  /// `close`.
  static let hasChunks = trace_barrier_register()
  private static let chunkSize = 32 * 1024
  /// The distance in bytes between a record in a chunk and the memory that it prefetches.
  private static let lookahead = 512
  /// The time in nanoseconds after which a thread abandons a chunk, so that its lines stay near
  /// other lines of their time.
  private static let chunkLife = 4_000_000
  /// A chunk that a thread leaves within this time, in nanoseconds, is followed by another one.
  private static let quickChunk = 500_000
  /// The number of records within a number of nanoseconds that makes a thread take chunks.
  private static let burst = (count: 64, time: 100_000)

  /// Reserves space for a line of `size` bytes, including its newline. Returns the offset of the
  /// space, or a `Refusal`.
  ///
  /// A caller that gets space must call `finish` after it has put the line there.
  @inline(__always)
  func reserve(_ size: Int, at time: Int, for thread: UnsafeMutablePointer<ThreadContext>) -> Int {
    let identity = identity
    if thread.pointee.file.load(ordering: .relaxed) != identity { adoptSlowPath(thread) }
    // This store comes before the check of `state` and before the addition. Either `close` comes
    // later and sees the store, or this thread gets no space.
    thread.pointee.filling.store(identity, ordering: .relaxed)
    let start = thread.pointee.chunk.position
    if start + size <= thread.pointee.chunk.end {
      atomicMemoryFence(ordering: .acquiringAndReleasing)
      if state.load(ordering: .relaxed) == State.open,
        time - thread.pointee.chunk.time < Self.chunkLife
      {
        thread.pointee.chunk.position = start + size
        // Another thread has prepared the memory, so it is in another core's cache. The record
        // after the next one will need it.
        trace_prefetch(base + start + Self.lookahead)
        trace_prefetch(base + start + Self.lookahead + 64)
        return start
      }
    }
    if thread.pointee.chunk.end > 0 { leaveChunk(at: time, thread) }
    return reserveShared(size, at: time, for: thread)
  }

  /// Reports that the line is in its space.
  @inline(__always)
  func finish(_ thread: UnsafeMutablePointer<ThreadContext>) {
    let written = thread.pointee.written.load(ordering: .relaxed)
    thread.pointee.written.store(written &+ 1, ordering: .relaxed)
    thread.pointee.filling.store(0, ordering: .releasing)
  }

  /// Counts a record as lost, and all later ones too, because the file has reached its maximum
  /// size.
  func stopAtLimit() {
    lost.wrappingAdd(1, ordering: .relaxed)
    retryTime.store(.max, ordering: .relaxed)
    _ = state.compareExchange(expected: State.open, desired: State.full, ordering: .relaxed)
  }

  /// Counts a record as lost, and later ones too until the next file of the log can be created.
  /// Returns true the first time.
  func stopUntilRotation(_ failure: Int32) -> Bool {
    lost.wrappingAdd(1, ordering: .relaxed)
    let isFirst = growth.withLock { growth in
      defer { growth.rotationFailure = failure }
      return growth.rotationFailure == nil
    }
    retryTime.store(LogClock.monotonic() + Self.retryInterval, ordering: .relaxed)
    _ = state.compareExchange(expected: State.open, desired: State.full, ordering: .relaxed)
    return isFirst
  }

  /// Writes a line to a file that no other thread knows yet.
  func restate(_ line: borrowing LineBuffer) {
    let size = line.count + 1
    raiseLimit(by: size)
    let start = Int(cursor.wrappingAdd(UInt64(size), ordering: .relaxed).oldValue)
    guard start + size <= usableEnd.load(ordering: .relaxed) || growSlowPath(to: start + size)
    else { return }
    LinePublisher.publish(line, to: base + start)
    tally.retire(1)
  }

  @inline(never)
  private func adoptSlowPath(_ thread: UnsafeMutablePointer<ThreadContext>) {
    ThreadContext.turn(thread, to: tally, of: identity)
  }

  @inline(never)
  private func reserveShared(
    _ size: Int, at time: Int, for thread: UnsafeMutablePointer<ThreadContext>
  ) -> Int {
    while true {
      if state.load(ordering: .relaxed) != State.open {
        if isOpen, resumeSlowPath(thread, at: time) { continue }
        let isFull = isOpen
        if isFull { lost.wrappingAdd(1, ordering: .relaxed) }
        thread.pointee.filling.store(0, ordering: .relaxed)
        return isFull ? Refusal.full : Refusal.closed
      }
      if isBurst(time, thread), let start = takeChunk(size, at: time, for: thread) { return start }
      guard canTake(size) else {
        thread.pointee.filling.store(0, ordering: .relaxed)
        return Refusal.beyond
      }
      let before = cursor.wrappingAdd(UInt64(size), ordering: .acquiringAndReleasing).oldValue
      let start = Int(before & Self.offsetMask)
      guard before & Self.closed == 0, start + size <= limit else {
        thread.pointee.filling.store(0, ordering: .relaxed)
        return before & Self.closed == 0 ? Refusal.beyond : Refusal.closed
      }
      let end = start + size
      if end > growAt.load(ordering: .relaxed) { growAheadSlowPath() }
      if end <= usableEnd.load(ordering: .acquiring) || growSlowPath(to: end) { return start }
      // The space stays blank.
    }
  }

  /// Abandons the rest of a chunk. A shorter line would otherwise be in it before longer lines of
  /// an earlier time.
  private func leaveChunk(at time: Int, _ thread: UnsafeMutablePointer<ThreadContext>) {
    // A chunk that was used up soon is followed by the next one at once.
    let isBurst = time - thread.pointee.chunk.time < Self.quickChunk
    thread.pointee.chunk = (0, 0, 0)
    thread.pointee.burst = (isBurst ? Self.burst.count : 0, time)
  }

  private func isBurst(_ time: Int, _ thread: UnsafeMutablePointer<ThreadContext>) -> Bool {
    thread.pointee.burst.count += 1
    guard thread.pointee.burst.count >= Self.burst.count else { return false }
    let isBurst = time - thread.pointee.burst.start < Self.burst.time
    thread.pointee.burst = (0, time)
    return isBurst && Self.hasChunks
  }

  private func takeChunk(
    _ size: Int, at time: Int, for thread: UnsafeMutablePointer<ThreadContext>
  ) -> Int? {
    guard size < Self.chunkSize / 4 else { return nil }
    let room = Int(cursor.load(ordering: .relaxed) & Self.offsetMask) + 2 * Self.chunkSize
    guard room <= min(limit, usableEnd.load(ordering: .relaxed)) else { return nil }
    let before = cursor.wrappingAdd(UInt64(Self.chunkSize), ordering: .acquiringAndReleasing)
      .oldValue
    let start = Int(before & Self.offsetMask)
    let end = start + Self.chunkSize
    if end > growAt.load(ordering: .relaxed) { growAheadSlowPath() }
    guard before & Self.closed == 0, end <= limit, end <= usableEnd.load(ordering: .acquiring)
    else { return nil }
    thread.pointee.chunk = (start + size, end, time)
    return start
  }
}
