import Dispatch
import Synchronization
import SystemLibrary
import TraceFormat
import TraceShims

/// The file of a log, mapped into memory. The kernel keeps each published line, whatever happens to
/// the process.
///
/// **An invariant holds at every instant, even after a SIGKILL between any two instructions of any
/// threads:** The file is UTF-8, and each of its lines is blank or one complete JSON object. Three
/// rules ensure this.
///
/// 1. The file grows by writing newlines, never by `ftruncate`, so no NUL byte is ever visible. The
///    system call also reports a full disk, where a store to a mapped page could only crash. File
///    systems that copy on write give no such promise.
/// 2. A writer reserves its space with one atomic addition. Spaces do not overlap, so a line that
///    one writer leaves unfinished does not affect other lines.
/// 3. `LinePublisher` makes a line grow as a valid object, and shows its event last. A thread that
///    is killed on the way leaves an object with an event that no reader knows, such as `-ext`, or
///    (after the very first step) with `t` alone. Such a record is incomplete, and there is at most
///    one per thread.
///
/// **Threads do not wait for each other, with two exceptions.** `close` waits for the threads that
/// are filling space. A thread that reaches the end of the prepared part of the file extends the
/// file, unless another thread has done so. A thread that writes a million records a second takes
/// its space in chunks, so that it need not touch `cursor` for each record. The lines of its chunk
/// are then together, and a reader orders records by their time.
///
/// A step is one instruction in optimized code on x86-64 (checked) and should be on arm64 (not yet
/// checked). A crash of the machine (not of the process) may lose pages that the kernel has not yet
/// written back. The file must not be shortened while it is mapped: the next record in the missing
/// part would end the process with SIGBUS.
///
/// `@unchecked Sendable`: threads share the memory behind `base` without a lock. `cursor` hands out
/// the space, so each byte has only ever one writer, and no thread reads it back. `close` writes
/// after the last writer.
package final class LogFile: @unchecked Sendable {
  /// A counter for the records of threads that are gone.
  final class Tally: Sendable {
    private let count = Atomic<Int>(0)

    func retire(_ records: Int) { count.wrappingAdd(records, ordering: .relaxed) }

    var retired: Int { count.load(ordering: .relaxed) }
  }

  /// The fate of the records, for the last lines. `lost` is 0 in an ordinary run.
  package struct Account: Sendable {
    /// The number of lines in the file, including the header.
    package var records: Int
    package var lost: Int
    /// The number of lost records that no `lost` record has reported.
    package var untold: Int
    package var reason: String
    /// The number of bytes that are still free.
    package var room: Int
  }

  /// The reasons why there is no space for a line.
  enum Refusal {
    /// The log is closed.
    static let closed = -1
    /// The disk is full, and the record was counted as lost.
    static let full = -2
    /// The file has reached its maximum size. The next file may take the line.
    static let beyond = -3
  }

  /// The size of the file, and whether it can grow.
  private struct Growth {
    /// The size of a step while the file is small.
    static let step = 256 * 1024
    /// The size of a step from then on. File systems that can keep such a part of a file in one
    /// piece of memory prepare it in two thirds of the time, and map it at once.
    static let largeStep = 2 << 20
    /// The amount of space prepared ahead of the writers: the first value, and the maximum for
    /// writers that are faster than that.
    static let windows = 1 << 20...32 << 20

    var size: Int
    var window = windows.lowerBound
    /// The error that ended all growth, until there is room again.
    var failure: Int32?
    /// The reason why the next file of the log cannot be created, until it can be.
    var rotationFailure: Int32?
    /// Set by `close`, so that a late writer does not make the file longer.
    var isClosed = false
    var isMapped = true
    /// The number of bytes up to the end of the next step. Large steps end at multiples of their
    /// size.
    var nextStep: Int {
      size < Self.largeStep ? Self.step : Self.largeStep - size % Self.largeStep
    }

    /// The end of the memory that was given back. The log of a long run must not fill the memory of
    /// its program.
    var released = 0
  }

  /// The space that ordinary lines never take, so that a full disk leaves room for `lost` and
  /// `end`.
  static let reservedSize = 512
  /// The time that a thread waits for others while it closes a log, in nanoseconds.
  static let patience = 200_000_000
  /// The time to wait before checking again whether a full disk has room: 0.1 seconds.
  private static let retryInterval = 100_000_000
  /// The queue that extends the file, so that threads that write a record do not have to.
  private static let preparing = DispatchQueue(label: "reactive-trace.prepare", qos: .userInitiated)

  /// Prepares the static values. See `WarmUp`.
  static func prepare() {
    OpenedFile.prepare()
    _ = (hasChunks, preparing)
  }

  /// The path of the file that is actually written, including `.2` if another process writes the
  /// first one. The path is absolute, because the program may change its working directory.
  package let path: String
  /// The number of logs of the same run that were in the file before.
  let replaced: Int
  let base: UnsafeMutableRawPointer
  let mappedSize: Int
  /// The offset where ordinary lines must end, however much room the disk has. It is set before
  /// other threads know the file.
  private var limit: Int
  /// The offset where ordinary lines begin, after the header and the lines handed on by an earlier
  /// file of the log.
  private var start: Int
  /// The open file, or -1 after it is closed. The program may have closed the descriptor and
  /// received its number for a file of its own: see `ownDescriptor`.
  private let descriptor: Atomic<Int32>
  let fileIdentity: FileIdentity
  private let tally: Tally
  /// A number that identifies the file among the files of the process.
  private let identity: UInt

  /// The next free offset. A bit above the offset says whether the file is closed.
  private let cursor: Atomic<UInt64>
  private static let closed: UInt64 = 1 << 47
  private static let offsetMask: UInt64 = closed - 1
  /// Padding that keeps the following properties out of the cache lines of `cursor`, which records
  /// take away from other cores.
  private let padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
    (0, 0, 0, 0, 0, 0, 0, 0)

  /// The state that all threads may read without taking `cursor` from its owner. It comes after the
  /// cursor in memory.
  private let state = Atomic<UInt8>(State.open)
  private enum State {
    static let open: UInt8 = 0
    static let full: UInt8 = 1
    static let closed: UInt8 = 2
  }

  /// The number of records that found no room, and how many of them a `lost` record reports.
  private let lost = Atomic<Int>(0)
  private let lostTold = Atomic<Int>(0)
  /// The number of records made by a signal handler that interrupted the recorder on the same
  /// thread.
  private let interrupted = Atomic<Int>(0)
  /// The time to check again whether there is room, in nanoseconds of the monotonic clock.
  private let retryTime = Atomic<Int>(0)

  /// The end of the space for lines. After it are `reservedSize` bytes for the last lines.
  private let usableEnd: Atomic<Int>
  /// The offset at which a writer requests a longer file, while the other writers still have room.
  private let growAt: Atomic<Int>
  private let growth: BlockingGuarded<Growth>
  /// The number of threads that wait for `growth` because they have reached the end of the file.
  private let waitingCount = Atomic<Int>(0)
  /// The buffer for the last lines, allocated in advance. No memory may be allocated at exit, because
  /// a signal handler that calls `exit` may have interrupted the allocator.
  private var lastLine = LineBuffer()

  /// Opens the file of a log. See `OpenedFile`.
  package convenience init(
    path: String, header: [UInt8], limit: Int? = nil, isFurther: Bool = false
  ) throws(TraceError) {
    try self.init(path: path, run: nil, limit: limit, isFurther: isFurther) { _ in header }
  }

  /// Opens the file of a log that may replace another log of the same run.
  ///
  /// - Parameter header: Returns the first line. Its argument is the number of logs of the run that
  ///   were in the file before.
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
    self.limit = limit
    start = opened.headerSize
    tally = Tally()
    identity = UInt(bitPattern: ObjectIdentifier(tally))
    descriptor = Atomic(opened.descriptor)
    fileIdentity = opened.identity
    cursor = Atomic(UInt64(opened.headerSize))
    usableEnd = Atomic(opened.size - Self.reservedSize)
    growAt = Atomic(opened.size / 2)
    growth = BlockingGuarded(Growth(size: opened.size))
  }

  deinit {
    abandon()
    unmap()
    lastLine.deallocate()
  }

  /// Marks the point where all lines handed on from earlier files are in the file.
  func begin() { start = Int(cursor.load(ordering: .relaxed)) }

  /// Raises the limit for a line that is handed on. Such a line does not count toward the size,
  /// because otherwise a file could be full before its first record.
  private func raiseLimit(by size: Int) {
    if limit < Int.max { limit += size }
  }

  /// The size of the file at its maximum.
  private var longest: Int {
    limit < mappedSize - Self.reservedSize ? limit + Self.reservedSize : mappedSize
  }

  /// Reports whether a line of that size fits into a file without ordinary lines.
  func canTake(_ size: Int) -> Bool { size <= limit - start }

  /// True while the file takes records, which ends when it is closed. A full disk counts as open,
  /// because losses are counted.
  package var isOpen: Bool {
    state.load(ordering: .relaxed) != State.closed
  }

  /// Gives up the file without writing to it. A child process calls this, because its parent
  /// continues to write.
  package func abandon() {
    cursor.bitwiseOr(Self.closed, ordering: .sequentiallyConsistent)
    state.store(State.closed, ordering: .sequentiallyConsistent)
    let file = descriptor.exchange(-1, ordering: .sequentiallyConsistent)
    if file >= 0 { OwnDescriptor.close(file, fileIdentity) }
  }

  /// Counts a record as lost because no file is large enough for it.
  func countTooLong() { lost.wrappingAdd(1, ordering: .relaxed) }

  /// Counts a record of a signal handler that interrupted the recorder on its thread.
  func countInterrupted() { interrupted.wrappingAdd(1, ordering: .relaxed) }

  // MARK: Reserving space

  /// True if the system has the barrier that lets threads use chunks without one of their own. See
  /// `close`.
  private static let hasChunks = trace_barrier_register()
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

  // MARK: Growing

  /// Makes sure that a line may end at `end`. Returns false if the disk is full, which produces a
  /// warning once.
  @inline(never)
  private func growSlowPath(to end: Int) -> Bool {
    var news: Int32?
    waitingCount.wrappingAdd(1, ordering: .relaxed)
    defer { waitingCount.wrappingSubtract(1, ordering: .relaxed) }
    let isRoom = growth.withLock { growth in
      while usableEnd.load(ordering: .relaxed) < end {
        if growth.failure != nil || growth.isClosed { return false }
        // The writers are faster than the prepared space allows for.
        growth.window = min(2 * growth.window, Growth.windows.upperBound)
        let error = extend(&growth, by: max(growth.nextStep, end + Self.reservedSize - growth.size))
        if error == 0, growth.size < longest { growAt.store(0, ordering: .relaxed) }
        guard error != 0, usableEnd.load(ordering: .relaxed) < end else { continue }
        growth.failure = error
        retryTime.store(LogClock.monotonic() + Self.retryInterval, ordering: .relaxed)
        _ = state.compareExchange(
          expected: State.open, desired: State.full, ordering: .relaxed)
        news = error
        return false
      }
      return true
    }
    if let news {
      Diagnostics.warn(
        "cannot write more of the log '\(path)': \(Self.reason(news)). Records count "
          + "as lost until there is room. The program continues.")
    }
    return isRoom
  }

  /// Requests more file space before it is needed. A failure here costs nothing yet.
  @inline(never)
  private func growAheadSlowPath() {
    // Only one of the threads that pass the mark resets it and requests the work.
    guard growAt.exchange(.max, ordering: .relaxed) != .max else { return }
    // A forked child has no thread for this work. There, the writer that reaches the end of the
    // file extends it.
    guard !ProcessHooks.isForkedChild else { return }
    Self.preparing.async { [self] in
      // The steps are small because a writer that has reached the end needs the lock. A writer that
      // waits for it wakes up too slowly to get it between two steps, so it goes first.
      while growth.withLock({ prepareStep(&$0) }) {
        if waitingCount.load(ordering: .relaxed) > 0 {
          return growAt.store(0, ordering: .relaxed)
        }
      }
    }
  }

  /// Prepares some space and reports whether there is more to prepare.
  private func prepareStep(_ growth: inout Growth) -> Bool {
    guard growth.failure == nil, !growth.isClosed else { return false }
    let position = Int(cursor.load(ordering: .relaxed) & Self.offsetMask)
    if growth.size - position < growth.window, growth.size < longest {
      if extend(&growth, by: growth.nextStep) == 0 { return true }
    } else {
      // A file that may not grow needs no more preparation.
      if growth.size < longest {
        growAt.store(growth.size - growth.window / 2, ordering: .relaxed)
      }
      release(&growth, before: position)
    }
    return false
  }

  /// Reports whether a full disk has room again. If it has, records the losses and takes records
  /// again.
  @inline(never)
  private func resumeSlowPath(_ thread: UnsafeMutablePointer<ThreadContext>, at time: Int) -> Bool {
    let now = LogClock.monotonic()
    let due = retryTime.load(ordering: .relaxed)
    guard now >= due,
      retryTime.compareExchange(
        expected: due, desired: now + Self.retryInterval, ordering: .relaxed
      ).exchanged
    else { return false }
    let failure = growth.withLock { growth -> Int32? in
      guard !growth.isClosed else { return nil }
      guard let failure = growth.failure else {
        guard let failure = growth.rotationFailure else { return nil }
        // The next line finds out whether the next file can be created.
        _ = state.compareExchange(
          expected: State.full, desired: State.open, ordering: .acquiringAndReleasing)
        return failure
      }
      let position = Int(cursor.load(ordering: .relaxed) & Self.offsetMask)
      let wanted = max(growth.nextStep, position + Growth.step - growth.size)
      guard growth.size >= longest || extend(&growth, by: wanted) == 0 else { return nil }
      growth.failure = nil
      tellLosses(failure, at: time)
      growAt.store(0, ordering: .relaxed)
      _ = state.compareExchange(
        expected: State.full, desired: State.open, ordering: .acquiringAndReleasing)
      return failure
    }
    return failure != nil
  }

  /// Writes a record of the losses. No other thread writes meanwhile, because the state is not yet
  /// open again.
  private func tellLosses(_ failure: Int32, at time: Int) {
    let count = lost.load(ordering: .relaxed)
    var line = LineBuffer()
    defer { line.deallocate() }
    line.begin(at: time, .lost)
    line.integer(.count, count - lostTold.load(ordering: .relaxed))
    line.text(.reason, Self.reason(failure), limit: 128)
    line.end()
    let before = cursor.wrappingAdd(UInt64(line.count + 1), ordering: .acquiringAndReleasing)
      .oldValue
    let start = Int(before & Self.offsetMask)
    guard before & Self.closed == 0, start + line.count < usableEnd.load(ordering: .relaxed) else {
      return
    }
    LinePublisher.publish(line, to: base + start)
    tally.retire(1)
    lostTold.store(count, ordering: .relaxed)
  }

  private func extend(_ growth: inout Growth, by count: Int) -> Int32 {
    let wanted = min(count, longest - growth.size)
    guard wanted > 0 else { return EFBIG }
    guard let file = ownDescriptor() else { return EBADF }
    let (size, error) = OpenedFile.pad(file, fileIdentity, from: growth.size, count: wanted)
    Self.touch(base, from: growth.size, to: size)
    growth.size = size
    usableEnd.store(size - Self.reservedSize, ordering: .releasing)
    return error
  }

  /// Returns the descriptor of the file and reopens the file if the program has closed it. Returns
  /// nil if the file is no longer at its path. The caller must hold `growth`.
  private func ownDescriptor() -> Int32? {
    let known = descriptor.load(ordering: .relaxed)
    if OwnDescriptor.isOpen(known, fileIdentity) { return known }
    let new = OwnDescriptor.open(path, O_RDWR | O_NONBLOCK)
    guard new >= 0 else { return nil }
    guard OwnDescriptor.isOpen(new, fileIdentity) else {
      _ = systemClose(new)
      return nil
    }
    descriptor.store(new, ordering: .relaxed)
    return new
  }

  /// Gives back memory that is far behind the writers. The pages stay in the file. A writer that is
  /// that late would load its page again.
  private func release(_ growth: inout Growth, before position: Int) {
    let unit = Growth.largeStep
    let old = (position - 4 * unit) & ~(unit - 1)
    guard old > growth.released else { return }
    madvise(base + growth.released, old - growth.released, MADV_DONTNEED)
    growth.released = old
  }

  /// Loads new pages all at once, which costs less than one fault per page. This is only a hint.
  private static func touch(_ base: UnsafeMutableRawPointer, from start: Int, to end: Int) {
    #if os(Linux)
      let populateForWriting: Int32 = 23
      let page = start & ~(64 * 1024 - 1)
      madvise(base + page, end - page, populateForWriting)
    #endif
  }

  /// Runs `body` while no other thread can extend the file, for tests.
  func withoutGrowth(_ body: () -> Void) { growth.withLock { _ in body() } }

  // MARK: Closing

  /// Stops taking records, waits for those in progress, adds the last lines and cuts the file to
  /// its length. `lines` gets a buffer, and a function that publishes a line and reports whether there
  /// was room for it. The first `reservedSize` bytes always fit.
  ///
  /// The wait for other threads lasts until `deadline`, 0.2 seconds by default. A writer that does
  /// not finish (because a debugger has suspended its thread) still has its space below the new end
  /// and may fill it. There is no wait for the current thread if a signal handler that calls `exit`
  /// has interrupted it. If the records cannot be counted in time, the log gets no end, as after a
  /// kill. If another thread is extending the file at the deadline, the file keeps its length.
  package func close(
    by deadline: Int = LogClock.monotonic() + LogFile.patience,
    last lines: (Account, inout LineBuffer, (borrowing LineBuffer) -> Bool) -> Void
  ) {
    let before = cursor.bitwiseOr(Self.closed, ordering: .acquiringAndReleasing).oldValue
    guard before & Self.closed == 0 else { return }
    state.store(State.closed, ordering: .sequentiallyConsistent)
    // A thread that uses a chunk says that it is filling and then looks at `state`, without a
    // barrier between the two. This is the barrier for all those threads.
    if Self.hasChunks { trace_barrier() }
    let isFillingHere = isFillingHere
    let areDone = waitForWriters(by: deadline) && !isFillingHere
    guard let written = written(by: deadline) else { return abandon() }
    let known = growth.withLock(until: deadline) { growth -> Known in
      growth.isClosed = true
      let file = ownDescriptor()
      descriptor.store(-1, ordering: .relaxed)
      return (file: file, reason: reason(growth), room: growth.size)
    }
    let room = known?.room ?? usableEnd.load(ordering: .acquiring) + Self.reservedSize
    var end = max(start, min(Int(before & Self.offsetMask), limit, room - Self.reservedSize))
    let interrupted = interrupted.load(ordering: .relaxed) + (isFillingHere ? 1 : 0)
    let lost = lost.load(ordering: .relaxed) + interrupted
    let account = Account(
      records: 1 + written, lost: lost, untold: lost - lostTold.load(ordering: .relaxed),
      reason: known?.reason ?? Self.interruption, room: room - end)
    lines(account, &lastLine) { line in
      guard end + line.count < room else { return false }
      LinePublisher.publish(line, to: base + end)
      end += line.count + 1
      return true
    }
    // If the program has closed the descriptor, the newlines after the last line stay. Readers
    // ignore them.
    if let file = known?.file, OwnDescriptor.isOpen(file, fileIdentity) {
      ftruncate(file, off_t(end))
      OpenedFile.restoreIfDeleted(file, at: path, base, size: end)
      // The mapping keeps the open file, and therefore the lock, alive after `close`.
      flock(file, LOCK_UN)
      OwnDescriptor.close(file, fileIdentity)
    }
    if areDone, known != nil { unmap() }
  }

  private typealias Known = (file: Int32?, reason: String, room: Int)

  /// Prepares the types that `close` needs. See `TracingState.prepare`.
  func prepareClosing() {
    _ = growth.withLock(until: .max) { growth -> Known in (nil, reason(growth), growth.size) }
    _ = ThreadContext.forEach(until: .max) { _ in }
  }

  private static let interruption = "recorded by a signal handler that interrupted the recorder"

  private func reason(_ growth: Growth) -> String {
    if let failure = growth.failure ?? growth.rotationFailure { return Self.reason(failure) }
    return lost.load(ordering: .relaxed) > 0 ? "maximum size reached" : Self.interruption
  }

  private static func reason(_ failure: Int32) -> String {
    failure == EBADF
      ? "the program has closed the file, and its path no longer leads to it"
      : SystemError.reason(failure)
  }

  /// Returns the number of records of all threads, including threads that are gone.
  private func written(by deadline: Int) -> Int? {
    var count = 0
    let identity = identity
    let isKnown = ThreadContext.forEach(until: deadline) { context in
      if context.pointee.file.load(ordering: .relaxed) == identity {
        count += context.pointee.written.load(ordering: .relaxed)
      }
    } finally: {
      // The list is still locked, so no thread can end or switch to another file and be counted
      // twice.
      count += tally.retired
    }
    return isKnown ? count : nil
  }

  private func waitForWriters(by deadline: Int) -> Bool {
    while isAnyFilling(by: deadline) {
      if LogClock.monotonic() > deadline { return false }
      sched_yield()
    }
    return true
  }

  /// Reports whether another thread is filling space.
  private func isAnyFilling(by deadline: Int) -> Bool {
    var isAny = false
    let identity = identity
    let own = trace_context()
    let isKnown = ThreadContext.forEach(until: deadline) { context in
      if context.pointee.filling.load(ordering: .acquiring) == identity,
        UnsafeRawPointer(context) != own.map({ UnsafeRawPointer($0) })
      {
        isAny = true
      }
    }
    return isAny || !isKnown
  }

  /// True if a signal handler has interrupted this thread while it was filling space.
  private var isFillingHere: Bool {
    guard let context = trace_context() else { return false }
    return context.assumingMemoryBound(to: ThreadContext.self).pointee.filling.load(
      ordering: .relaxed) == identity
  }

  private func unmap() {
    growth.withLock { growth in
      guard growth.isMapped else { return }
      growth.isMapped = false
      munmap(base, mappedSize)
    }
  }

  /// Keeps other recorders away from the file even after it is closed.
  func lockBeyondClosing() -> SharedLock? {
    let lock = growth.withLock(until: LogClock.monotonic() + Self.patience) { _ -> SharedLock? in
      guard let file = ownDescriptor() else { return nil }
      // No other recorder can get the lock in between: the system replaces an exclusive lock with a
      // shared one in one step.
      flock(file, LOCK_SH | LOCK_NB)
      return SharedLock(path, fileIdentity)
    }
    return lock ?? nil
  }
}

extension LogFile.Account {
  /// Reports the missing records if there are any.
  func publishLosses(
    at time: Int, _ line: inout LineBuffer, _ publish: (borrowing LineBuffer) -> Bool
  ) {
    guard untold > 0 else { return }
    line.begin(at: time, .lost)
    line.integer(.count, untold)
    line.text(.reason, reason, limit: 128)
    line.end()
    _ = publish(line)
  }
}
