import CRuntime.OwnProcess
import Synchronization
import SystemLibrary
import TraceFormat

/// The file of a log, mapped into memory. The kernel keeps each published line, regardless of what
/// happens to the process.
///
/// **An invariant holds at every instant, even after a SIGKILL between any two instructions of any
/// threads:** The file is UTF-8, and each of its lines is blank or one complete JSON object. Three
/// rules ensure this.
///
/// 1. The file grows by writing newlines, never by `ftruncate`, so no NUL byte is ever visible. The
///    system call also reports a full disk, where a store to a mapped page could only crash.
///    Copy-on-write file systems don't guarantee that.
/// 2. A writer reserves its space with one atomic addition. Spaces don't overlap, so a line that
///    one writer leaves unfinished doesn't affect other lines.
/// 3. `LinePublisher` makes a line grow as a valid object, and shows its event last. A thread that
///    is killed before that leaves an object with an event that no reader recognizes, such as
///    `-ext`, or (after the first step) with only `t`. Such a record is incomplete, and each thread
///    leaves at most one.
///
/// **Threads don't wait for each other, with two exceptions.** `close` waits for the threads that
/// are filling space. A thread that reaches the end of the prepared part of the file extends the
/// file, unless another thread has done so. A thread that writes a million records per second takes
/// its space in chunks, so that it doesn't access `cursor` for each record. The lines of its chunk
/// are then together, and a reader orders records by their time.
///
/// A step is one instruction in optimized code on x86-64 (checked) and should be on arm64 (not yet
/// checked). A crash of the machine (not of the process) may lose pages that the kernel hasn't
/// written back yet. The file must not be shortened while it is mapped: the next record in the
/// missing part would kill the process with SIGBUS.
///
/// `@unchecked Sendable`: threads share the memory behind `base` without a lock. `cursor` assigns
/// the space, so each byte only ever has one writer, and no thread reads it back. `close` writes
/// after the last writer.
package final class LogFile: @unchecked Sendable {
  /// The numbers of written and lost records, for the last lines. `lost` is usually 0.
  package struct Account: Sendable {
    /// The number of lines in the file, including the header.
    package var records: Int
    package var lost: Int
    /// The number of lost records that no `lost` record has reported yet.
    package var unreported: Int
    package var reason: String
    /// The number of bytes that are still free.
    package var room: Int
  }

  /// The answer to a request for space.
  enum Reservation {
    /// The offset of the space.
    case space(Int)
    case refused(Refusal)
  }

  /// The reasons why a line doesn't get space.
  enum Refusal {
    /// The file is closed.
    case closed
    /// There is no room until the next retry, and the record was counted as lost.
    case full
    /// The file has reached its maximum size. The next file may take the line.
    case beyond
  }

  /// The states of a file. It goes from `open` to `full` and back any number of times, and from
  /// either to `closed`, once.
  private enum State: UInt8, AtomicRepresentable {
    /// Lines get space.
    case open
    /// Records count as lost until `retryTime`, which may be never.
    case full
    /// Nothing gets space, and records don't count.
    case closed
  }

  /// The space that ordinary lines never take, so that a full disk leaves room for `lost` and
  /// `end`.
  static let reservedSize = 512
  /// The maximum time that a thread waits for others while it closes a log, in nanoseconds.
  static let patience = 200_000_000
  /// The time to wait before checking again whether a full disk has room: 0.1 seconds.
  private static let retryInterval = 100_000_000
  /// Prepares the static values. See `WarmUp`.
  static func prepare() {
    OpenedFile.prepare()
    FileSpace.prepare()
    _ = hasChunks
  }

  /// The path of the file that is actually written, including `.2` if another process writes the
  /// first file. The path is absolute, because the program may change its working directory.
  package let path: String
  /// The number of earlier logs of the same run that were in the file.
  let replaced: Int
  let base: UnsafeMutableRawPointer
  let mappedSize: Int
  /// The offset where ordinary lines start, after the header and the lines passed on by an earlier
  /// file of the log.
  private var start: Int
  let fileIdentity: FileIdentity
  private let space: FileSpace
  private let writers = FileWriters()

  /// The next free offset. A bit above the offset indicates whether the file is closed.
  private let cursor: Atomic<UInt64>
  private static let closed: UInt64 = 1 << 47
  private static let offsetMask: UInt64 = closed - 1
  /// Padding that keeps the following properties out of the cache lines of `cursor`, which each
  /// record takes from other cores.
  private let padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
    (0, 0, 0, 0, 0, 0, 0, 0)

  /// The state that all threads may read without taking `cursor` from its owner. It comes after the
  /// cursor in memory.
  private let state = Atomic<State>(.open)

  /// The number of records that didn't have room, and the number of those that a `lost` record
  /// reports.
  private let lost = Atomic<Int>(0)
  private let reportedLosses = Atomic<Int>(0)
  /// The number of records made by a signal handler that interrupted the recorder on the same
  /// thread.
  private let interrupted = Atomic<Int>(0)
  /// The time to check again whether there is room, in nanoseconds of the monotonic clock.
  private let retryTime = Atomic<Int>(0)

  /// The buffer for the last lines, allocated in advance. No memory may be allocated at exit,
  /// because a signal handler that calls `exit` may have interrupted the allocator.
  private var lastLine = LineBuffer()
  private var hasLastLine = true

  /// Opens the file of a log. See `OpenedFile`.
  package convenience init(
    path: String, header: [UInt8], limit: Int? = nil, isFurther: Bool = false
  ) throws(TraceError) {
    try self.init(path: path, run: nil, limit: limit, isFurther: isFurther) { _ in header }
  }

  /// Opens the file of a log that may replace another log of the same run.
  ///
  /// - Parameter header: Returns the first line. Its argument is the number of earlier logs of the
  ///   run that were in the file.
  convenience init(
    path: String, run: String?, limit: Int?, isFurther: Bool = false,
    header: (_ replaced: Int) -> [UInt8]
  ) throws(TraceError) {
    let least = header(0).count + 1 + Self.reservedSize
    let limit = limit.map { max($0, least) - Self.reservedSize } ?? .max
    let opened = try OpenedFile(
      path: path, run: run, limit: limit, isFurther: isFurther, header: header)
    self.init(opened, limit: limit)
  }

  private init(_ opened: OpenedFile, limit: Int) {
    path = opened.path
    replaced = opened.replaced
    base = opened.base
    mappedSize = opened.mappedSize
    start = opened.headerSize
    fileIdentity = opened.identity
    cursor = Atomic(UInt64(opened.headerSize))
    space = FileSpace(opened, limit: limit)
  }

  deinit {
    abandon()
    space.unmap()
    freeLastLine()
  }

  /// Marks the point where all lines passed on from earlier files are in the file.
  func begin() { start = Int(cursor.load(ordering: .relaxed)) }

  /// Reports whether a line of that size fits into a file without ordinary lines.
  func canTake(_ size: Int) -> Bool { size <= space.limit - start }

  /// A Boolean value that indicates whether the file takes records. It is true until the file is
  /// closed, also while the disk is full, because the file counts losses.
  package var isOpen: Bool {
    state.load(ordering: .relaxed) != .closed
  }

  /// Abandons the file without writing to it.
  package func abandon() {
    becomeClosed()
    space.abandon()
  }

  /// Abandons the file in a child process, because its parent continues to write.
  func leaveToParent() {
    becomeClosed()
    space.leaveToParent()
  }

  /// Changes the state to `closed`. Returns the offset that the writers had reached, or nil if the
  /// file was already closed.
  @discardableResult
  private func becomeClosed() -> Int? {
    let before = cursor.bitwiseOr(Self.closed, ordering: .sequentiallyConsistent).oldValue
    state.store(.closed, ordering: .sequentiallyConsistent)
    return before & Self.closed == 0 ? Int(before & Self.offsetMask) : nil
  }

  /// Changes the state from `open` to `full`.
  ///
  /// - Parameter time: When to check for room again, in nanoseconds of the monotonic clock.
  private func becomeFull(until time: Int) {
    retryTime.store(time, ordering: .relaxed)
    _ = state.compareExchange(expected: .open, desired: .full, ordering: .relaxed)
  }

  /// Changes the state from `full` to `open`.
  private func becomeOpen() {
    _ = state.compareExchange(expected: .full, desired: .open, ordering: .acquiringAndReleasing)
  }

  /// Counts a record as lost because no file is large enough for it.
  func countTooLong() { lost.wrappingAdd(1, ordering: .relaxed) }

  /// Counts a record of a signal handler that interrupted the recorder on its thread.
  func countInterrupted() { interrupted.wrappingAdd(1, ordering: .relaxed) }

  // MARK: Reserving space

  /// A Boolean value that indicates whether the system has the barrier that lets threads use chunks
  /// without their own barriers. See `close`.
  private static let hasChunks = trace_barrier_register()
  private static let chunkSize = 32 * 1024
  /// The distance in bytes between a record in a chunk and the memory that it prefetches.
  private static let lookahead = 512
  /// The time in nanoseconds after which a thread abandons a chunk, so that its lines stay near
  /// other lines of their time.
  private static let chunkLife = 4_000_000
  /// The time in nanoseconds within which a thread must leave a chunk to get another one.
  private static let quickChunk = 500_000
  /// The number of records, and the time in nanoseconds within which they make a thread take
  /// chunks.
  private static let burst = (count: 64, time: 100_000)

  /// Reserves space for a line of `size` bytes, including its newline.
  ///
  /// A caller that gets space must call `finish` after it has put the line there.
  @inline(__always)
  func reserve(
    _ size: Int, at time: Int, for thread: WritingThread.Pointer
  ) -> Reservation {
    let identity = writers.identity
    if thread.pointee.file.load(ordering: .relaxed) != identity { adoptSlowPath(thread) }
    // This store comes before the check of `state` and before the addition. Either `close` comes
    // later and sees the store, or this thread gets no space.
    thread.pointee.filling.store(identity, ordering: .relaxed)
    let start = thread.pointee.chunk.position
    if start + size <= thread.pointee.chunk.end {
      atomicMemoryFence(ordering: .acquiringAndReleasing)
      if state.load(ordering: .relaxed) == .open,
        time - thread.pointee.chunk.time < Self.chunkLife
      {
        thread.pointee.chunk.position = start + size
        // Another thread has prepared the memory, so it is in another core's cache. The record
        // after the next one will need it.
        trace_prefetch(base + start + Self.lookahead)
        trace_prefetch(base + start + Self.lookahead + 64)
        return .space(start)
      }
    }
    if thread.pointee.chunk.end > 0 { leaveChunk(at: time, thread) }
    return reserveShared(size, at: time, for: thread)
  }

  /// Marks the line as complete in its space.
  @inline(__always)
  func finish(_ thread: WritingThread.Pointer) {
    let written = thread.pointee.written.load(ordering: .relaxed)
    thread.pointee.written.store(written &+ 1, ordering: .relaxed)
    thread.pointee.filling.store(0, ordering: .releasing)
  }

  /// Counts a record as lost, and all later ones too, because the file has reached its maximum
  /// size.
  func stopAtLimit() {
    lost.wrappingAdd(1, ordering: .relaxed)
    becomeFull(until: .max)
  }

  /// Counts a record as lost, and later ones too until the next file of the log can be created.
  /// Returns true the first time.
  func stopUntilRotation(_ failure: Int32) -> Bool {
    lost.wrappingAdd(1, ordering: .relaxed)
    let isFirst = space.noteRotationFailure(failure)
    stop()
    return isFirst
  }

  /// Stops taking records until there may be room again.
  private func stop() {
    becomeFull(until: LogClock.monotonic() + Self.retryInterval)
  }

  /// Writes a line to a file that no other thread uses yet. A line without room counts as lost and
  /// doesn't take space, so ordinary lines start after the last line that was written.
  func restate(_ line: borrowing LineBuffer) {
    let size = line.count + 1
    let start = position
    space.raiseLimit(by: size)
    guard isRoom(to: start + size) else {
      space.raiseLimit(by: -size)
      lost.wrappingAdd(1, ordering: .relaxed)
      return
    }
    cursor.wrappingAdd(UInt64(size), ordering: .relaxed)
    LinePublisher.publish(line, to: base + start)
    writers.tally.retire(1)
  }

  @inline(never)
  private func adoptSlowPath(_ thread: WritingThread.Pointer) {
    writers.adopt(thread)
  }

  @inline(never)
  private func reserveShared(
    _ size: Int, at time: Int, for thread: WritingThread.Pointer
  ) -> Reservation {
    while true {
      switch state.load(ordering: .relaxed) {
      case .open: break
      case .full where resumeSlowPath(at: time): continue
      case .full where isOpen:
        lost.wrappingAdd(1, ordering: .relaxed)
        return refuse(.full, thread)
      case .full, .closed: return refuse(.closed, thread)
      }
      if isBurst(time, thread), let start = takeChunk(size, at: time, for: thread) {
        return .space(start)
      }
      guard canTake(size) else { return refuse(.beyond, thread) }
      let before = cursor.wrappingAdd(UInt64(size), ordering: .acquiringAndReleasing).oldValue
      let start = Int(before & Self.offsetMask)
      guard before & Self.closed == 0 else { return refuse(.closed, thread) }
      guard start + size <= space.limit else { return refuse(.beyond, thread) }
      let end = start + size
      if space.isLow(at: end) { prepareAhead() }
      if isRoom(to: end) { return .space(start) }
      // The space stays blank.
    }
  }

  /// Notes that the thread doesn't fill space.
  private func refuse(_ refusal: Refusal, _ thread: WritingThread.Pointer) -> Reservation {
    thread.pointee.filling.store(0, ordering: .relaxed)
    return .refused(refusal)
  }

  @inline(__always)
  private func isRoom(to end: Int) -> Bool {
    end <= space.end || space.makeRoom(to: end) { stop() }
  }

  private func prepareAhead() { space.prepareAhead { [self] in position } }

  /// The offset that the writers have reached.
  private var position: Int { Int(cursor.load(ordering: .relaxed) & Self.offsetMask) }

  /// Abandons the rest of a chunk. A shorter line would otherwise be in it before longer lines of
  /// an earlier time.
  private func leaveChunk(at time: Int, _ thread: WritingThread.Pointer) {
    // After a chunk that was used up quickly, the thread immediately takes the next one.
    let isBurst = time - thread.pointee.chunk.time < Self.quickChunk
    thread.pointee.chunk = (0, 0, 0)
    thread.pointee.burst = (isBurst ? Self.burst.count : 0, time)
  }

  private func isBurst(_ time: Int, _ thread: WritingThread.Pointer) -> Bool {
    thread.pointee.burst.count += 1
    guard thread.pointee.burst.count >= Self.burst.count else { return false }
    let isBurst = time - thread.pointee.burst.start < Self.burst.time
    thread.pointee.burst = (0, time)
    return isBurst && Self.hasChunks
  }

  private func takeChunk(
    _ size: Int, at time: Int, for thread: WritingThread.Pointer
  ) -> Int? {
    guard size < Self.chunkSize / 4 else { return nil }
    guard position + 2 * Self.chunkSize <= min(space.limit, space.end) else { return nil }
    let before = cursor.wrappingAdd(UInt64(Self.chunkSize), ordering: .acquiringAndReleasing)
      .oldValue
    let start = Int(before & Self.offsetMask)
    let end = start + Self.chunkSize
    if space.isLow(at: end) { prepareAhead() }
    guard before & Self.closed == 0, end <= min(space.limit, space.end) else { return nil }
    thread.pointee.chunk = (start + size, end, time)
    return start
  }

  // MARK: Full disks

  /// Reports whether a full disk has room again. If so, records the losses and starts taking
  /// records again.
  @inline(never)
  private func resumeSlowPath(at time: Int) -> Bool {
    let now = LogClock.monotonic()
    let due = retryTime.load(ordering: .relaxed)
    guard now >= due,
      retryTime.compareExchange(
        expected: due, desired: now + Self.retryInterval, ordering: .relaxed
      ).exchanged
    else { return false }
    return space.retry(at: position) { failure in
      if let failure { tellLosses(failure, at: time) }
      becomeOpen()
    }
  }

  /// Writes a record of the losses. No other thread writes in the meantime, because the state isn't
  /// open again yet.
  private func tellLosses(_ failure: Int32, at time: Int) {
    let count = lost.load(ordering: .relaxed)
    var line = LineBuffer()
    defer { line.deallocate() }
    line.begin(at: time, .lost)
    line.integer(.count, count - reportedLosses.load(ordering: .relaxed))
    line.text(.reason, FileSpace.reason(failure), limit: 128)
    line.end()
    let before = cursor.wrappingAdd(UInt64(line.count + 1), ordering: .acquiringAndReleasing)
      .oldValue
    let start = Int(before & Self.offsetMask)
    guard before & Self.closed == 0, start + line.count < space.end else { return }
    LinePublisher.publish(line, to: base + start)
    writers.tally.retire(1)
    reportedLosses.store(count, ordering: .relaxed)
  }

  /// Runs `body` while no other thread can extend the file, for tests.
  func withoutGrowth(_ body: () -> Void) { space.withoutGrowth(body) }

  // MARK: Closing

  /// Stops taking records, waits for those in progress, adds the last lines and truncates the file
  /// to its length. `lines` gets a buffer, and a function that publishes a line and reports whether
  /// there was room for it. The first `reservedSize` bytes always fit.
  ///
  /// The wait for other threads lasts until `deadline`, 0.2 seconds by default. A writer that
  /// doesn't finish (because a debugger has suspended its thread) still has its space below the new
  /// end and may fill it. If a signal handler that calls `exit` has interrupted the current thread,
  /// `close` doesn't wait for that thread. If the records can't be counted in time, the log doesn't
  /// get an end, as after a kill. If another thread is extending the file at the deadline, the file
  /// keeps its length.
  ///
  /// A log may have very many files, and keeps all of them. If `freesMemory` is true, a closed file
  /// uses as little memory as possible.
  package func close(
    by deadline: Int = LogClock.monotonic() + LogFile.patience, freesMemory: Bool = false,
    last lines: (Account, inout LineBuffer, (borrowing LineBuffer) -> Bool) -> Void
  ) {
    guard let reached = becomeClosed() else { return }
    // A thread that uses a chunk stores that it is filling and then reads `state`, without a
    // barrier between the two. This is the barrier for all those threads.
    if Self.hasChunks { trace_barrier() }
    let isFillingHere = writers.isFillingHere
    let areDone = writers.waitForAll(by: deadline) && !isFillingHere
    guard let written = writers.written(by: deadline) else { return abandon() }
    let ended = space.end(by: deadline)
    let room = ended?.size ?? space.end + Self.reservedSize
    var end = max(start, min(reached, space.limit, room - Self.reservedSize))
    let interrupted = interrupted.load(ordering: .relaxed) + (isFillingHere ? 1 : 0)
    let lost = lost.load(ordering: .relaxed) + interrupted
    let account = Account(
      records: 1 + written, lost: lost, unreported: lost - reportedLosses.load(ordering: .relaxed),
      reason: reason(ended), room: room - end)
    lines(account, &lastLine) { line in
      guard end + line.count < room else { return false }
      LinePublisher.publish(line, to: base + end)
      end += line.count + 1
      return true
    }
    // If the program has closed the descriptor, the newlines after the last line stay. Readers
    // ignore them.
    if let file = ended?.file { space.cut(file, to: end) }
    if areDone, ended != nil { space.unmap() }
    if freesMemory { freeLastLine() }
  }

  private func freeLastLine() {
    guard hasLastLine else { return }
    hasLastLine = false
    lastLine.deallocate()
  }

  /// Prepares the types that `close` needs. See `TracingState.prepare`.
  func prepareClosing() {
    space.prepareEnding()
    _ = WritingThread.forEach(until: .max) { _ in }
  }

  private static let interruption = "recorded by a signal handler that interrupted the recorder"

  private func reason(_ ended: FileSpace.Ended?) -> String {
    guard let ended else { return Self.interruption }
    if let failure = ended.failure { return FileSpace.reason(failure) }
    return lost.load(ordering: .relaxed) > 0 ? "maximum size reached" : Self.interruption
  }

  /// Keeps other recorders away from the file even after it is closed.
  func lockBeyondClosing() -> SharedLock? { space.lockBeyondClosing() }
}

extension LogFile.Account {
  /// Reports the missing records if there are any.
  func publishLosses(
    at time: Int, _ line: inout LineBuffer, _ publish: (borrowing LineBuffer) -> Bool
  ) {
    guard unreported > 0 else { return }
    line.begin(at: time, .lost)
    line.integer(.count, unreported)
    line.text(.reason, reason, limit: 128)
    line.end()
    _ = publish(line)
  }
}
