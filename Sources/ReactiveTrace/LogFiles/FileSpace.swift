import CRuntime.OwnProcess
import Dispatch
import Synchronization
import SystemLibrary

/// The space of an open file that is prepared for lines, ahead of the threads that write them.
///
/// Preparing means writing newlines and loading the pages. A queue does it, so that threads that
/// write a record don't have to. A thread that reaches the end of the space extends it itself.
///
/// `@unchecked Sendable`: `limit` only changes while a single thread has access to the file. `base`
/// never changes, and this class only passes its memory to system calls. All other state is atomic
/// or protected by `growth`.
final class FileSpace: @unchecked Sendable {
  /// The size of the file, and whether it can grow.
  private struct Growth {
    /// The size of a step while the file is small.
    static let step = 256 * 1024
    /// The size of a step of a larger file. File systems that can keep such a part of a file in one
    /// piece of memory prepare it in two thirds of the time and map it in one step.
    static let largeStep = 2 << 20
    /// The amount of space prepared ahead of the writers: the initial value, and the maximum for
    /// fast writers.
    static let windows = 1 << 20...32 << 20

    var size: Int
    var window = windows.lowerBound
    /// The error that prevents growth until there is room again.
    var failure: Int32?
    /// The error that prevents the creation of the log's next file.
    var rotationFailure: Int32?
    /// A Boolean value that `end` sets, so that a late writer doesn't extend the file.
    var isClosed = false
    /// The end of the memory that was returned to the system. A long log must not fill the memory
    /// of the program.
    var released = 0

    /// The number of bytes up to the end of the next step. Large steps end at multiples of their
    /// size.
    var nextStep: Int {
      size < Self.largeStep ? Self.step : Self.largeStep - size % Self.largeStep
    }
  }

  /// The queue that extends files.
  private static let preparing = DispatchQueue(label: "reactive-trace.prepare", qos: .userInitiated)

  /// Prepares the static values. See `WarmUp`.
  static func prepare() {
    if trace_has_dispatch() { _ = preparing }
  }

  private let path: String
  private let base: UnsafeMutableRawPointer
  private let mappedSize: Int
  /// The maximum offset of ordinary lines, regardless of how much room the disk has.
  private(set) var limit: Int
  /// The open file, or -1 after it is closed. The program can have closed the descriptor and
  /// reused its number for another file: see `ownDescriptor`.
  private let descriptor: Atomic<Int32>
  private let identity: FileIdentity
  /// The end of the space for lines. It is followed by `LogFile.reservedSize` bytes for the last
  /// lines.
  private let usableEnd: Atomic<Int>
  /// The offset at which a writer requests more space, while the other writers still have room.
  private let growAt: Atomic<Int>
  private let growth: BlockingGuarded<Growth>
  /// A Boolean value that becomes false immediately before the memory is unmapped.
  private let isMapped = Atomic<Bool>(true)
  /// The number of threads that wait for `growth` because they have reached the end of the file or
  /// are ending the file's growth.
  private let waitingCount = Atomic<Int>(0)

  init(_ opened: OpenedFile, limit: Int) {
    path = opened.path
    base = opened.base
    mappedSize = opened.mappedSize
    // The mapping can be smaller than the maximum size of the file. The log then continues earlier
    // in the next file. The rest of the mapping is for lines that are restated.
    self.limit = limit < .max ? min(limit, opened.mappedSize / 4 * 3) : limit
    descriptor = Atomic(opened.descriptor)
    identity = opened.identity
    usableEnd = Atomic(opened.size - LogFile.reservedSize)
    growAt = Atomic(opened.size / 2)
    growth = BlockingGuarded(Growth(size: opened.size))
  }

  /// Raises the limit for a line that is restated from earlier files. Such a line doesn't count
  /// toward the size, because otherwise a file could be full before its first record.
  func raiseLimit(by size: Int) {
    if limit < Int.max { limit += size }
  }

  /// The maximum size of the file.
  private var maxSize: Int {
    limit < mappedSize - LogFile.reservedSize ? limit + LogFile.reservedSize : mappedSize
  }

  /// The end of the space for lines.
  @inline(__always)
  var end: Int { usableEnd.load(ordering: .acquiring) }

  /// Returns whether a line that ends at `end` should request more space.
  @inline(__always)
  func isLow(at end: Int) -> Bool { end > growAt.load(ordering: .relaxed) }

  // MARK: Growing

  /// Extends the space so that a line can end at `end`. Returns false if the disk is full. The
  /// first time, this calls `whenFull` before any other thread can extend the file.
  @inline(never)
  func makeRoom(to end: Int, whenFull: () -> Void) -> Bool {
    var newFailure: Int32?
    waitingCount.wrappingAdd(1, ordering: .relaxed)
    defer { waitingCount.wrappingSubtract(1, ordering: .relaxed) }
    let isRoom = growth.withLock { growth in
      while usableEnd.load(ordering: .relaxed) < end {
        if growth.failure != nil || growth.isClosed { return false }
        // The writers are faster than the preparation.
        growth.window = min(2 * growth.window, Growth.windows.upperBound)
        let wanted = max(growth.nextStep, end + LogFile.reservedSize - growth.size)
        let error = extend(&growth, by: wanted)
        if error == 0, growth.size < maxSize { growAt.store(0, ordering: .relaxed) }
        guard error != 0, usableEnd.load(ordering: .relaxed) < end else { continue }
        growth.failure = error
        whenFull()
        newFailure = error
        return false
      }
      return true
    }
    if let newFailure {
      Diagnostics.warn(
        "cannot write more of the log '\(path)': \(Self.reason(newFailure)). Records count "
          + "as lost until there is room. The program continues.")
    }
    return isRoom
  }

  /// Requests more space before it is needed. A failure here isn't reported yet. `position` returns
  /// the offset that the writers have reached.
  @inline(never)
  func prepareAhead(of position: @escaping @Sendable () -> Int) {
    // Only one of the threads that pass the mark resets it and requests the work.
    guard growAt.exchange(.max, ordering: .relaxed) != .max else { return }
    // A forked child doesn't have a thread for this work, and neither does a static program before
    // `main`. There, the writer that reaches the end of the file extends it.
    guard !ProcessHooks.isForkedChild, trace_has_dispatch() else { return }
    Self.preparing.async { [self] in
      // The steps are small because a writer that has reached the end needs the lock. A waiting
      // writer wakes up too slowly to get the lock between two steps, so the queue stops for it.
      while growth.withLock({ prepareStep(&$0, position()) }) {
        if waitingCount.load(ordering: .relaxed) > 0 {
          return growAt.store(0, ordering: .relaxed)
        }
      }
    }
  }

  /// Prepares some space and returns whether there is more to prepare.
  private func prepareStep(_ growth: inout Growth, _ position: Int) -> Bool {
    guard growth.failure == nil, !growth.isClosed else { return false }
    if growth.size - position < growth.window, growth.size < maxSize {
      if extend(&growth, by: growth.nextStep) == 0 { return true }
    } else {
      // A file that has reached its maximum size doesn't need more preparation.
      if growth.size < maxSize {
        growAt.store(growth.size - growth.window / 2, ordering: .relaxed)
      }
      release(&growth, before: position)
    }
    return false
  }

  private func extend(_ growth: inout Growth, by count: Int) -> Int32 {
    let wanted = min(count, maxSize - growth.size)
    guard wanted > 0 else { return EFBIG }
    guard let file = ownDescriptor() else { return EBADF }
    let (size, error) = OpenedFile.pad(file, identity, from: growth.size, count: wanted)
    touch(from: growth.size, to: size)
    growth.size = size
    usableEnd.store(size - LogFile.reservedSize, ordering: .releasing)
    return error
  }

  /// Loads all new pages in one call, which costs less than one fault per page. This is only a
  /// hint.
  private func touch(from start: Int, to end: Int) {
    #if os(Linux)
      let populateForWriting: Int32 = 23
      let page = start & ~(64 * 1024 - 1)
      madvise(base + page, end - page, populateForWriting)
    #endif
  }

  /// Returns to the system the memory of pages that all writers left long ago. The pages stay in
  /// the file. A writer that is that late would load its page again.
  private func release(_ growth: inout Growth, before position: Int) {
    let unit = Growth.largeStep
    let old = (position - 4 * unit) & ~(unit - 1)
    guard old > growth.released else { return }
    madvise(base + growth.released, old - growth.released, MADV_DONTNEED)
    growth.released = old
  }

  /// Runs `body` while no other thread can extend the file, for tests.
  func withoutGrowth(_ body: () -> Void) { growth.withLock { _ in body() } }

  // MARK: Failing

  /// Records why the next file of the log can't be created. Returns true the first time.
  func noteRotationFailure(_ failure: Int32) -> Bool {
    growth.withLock { growth in
      defer { growth.rotationFailure = failure }
      return growth.rotationFailure == nil
    }
  }

  /// Retries the operation that failed. Returns false if nothing failed, the file is closed, or the
  /// operation fails again.
  ///
  /// - Parameters:
  ///   - position: The offset that the writers have reached.
  ///   - resume: Called if there is room, before any other thread can extend the file. Its argument
  ///     is the resolved error, or nil if only the next file of the log couldn't be created.
  func retry(at position: Int, _ resume: (Int32?) -> Void) -> Bool {
    growth.withLock { growth in
      guard !growth.isClosed else { return false }
      guard let failure = growth.failure else {
        guard growth.rotationFailure != nil else { return false }
        // Writing the next line tries to create the next file again.
        resume(nil)
        return true
      }
      let wanted = max(growth.nextStep, position + Growth.step - growth.size)
      let isRoom =
        growth.size < maxSize
        ? extend(&growth, by: wanted) == 0 : position < usableEnd.load(ordering: .relaxed)
      guard isRoom else { return false }
      growth.failure = nil
      growAt.store(0, ordering: .relaxed)
      resume(failure)
      return true
    }
  }

  static func reason(_ failure: Int32) -> String {
    failure == EBADF
      ? "the program has closed the file, and its path no longer leads to it"
      : SystemError.reason(failure)
  }

  // MARK: Ending

  /// A file that no longer grows.
  struct Ended {
    /// The descriptor, or nil if the program has closed it.
    let file: Int32?
    /// The error that prevented growth.
    let failure: Int32?
    let size: Int
  }

  /// Ends all growth and gives up the descriptor. Returns nil if another thread is still extending
  /// the file at `deadline`.
  func end(by deadline: Int) -> Ended? {
    // Otherwise, the queue would take the lock again before this thread can get it between two
    // steps.
    waitingCount.wrappingAdd(1, ordering: .relaxed)
    defer { waitingCount.wrappingSubtract(1, ordering: .relaxed) }
    return growth.withLock(until: deadline) { growth in
      growth.isClosed = true
      let file = ownDescriptor()
      descriptor.store(-1, ordering: .relaxed)
      return Ended(
        file: file, failure: growth.failure ?? growth.rotationFailure, size: growth.size)
    }
  }

  /// Truncates the file to `size` and closes it.
  func cut(_ file: Int32, to size: Int) {
    guard OwnDescriptor.isOpen(file, identity) else { return }
    ftruncate(file, off_t(size))
    OpenedFile.restoreIfDeleted(file, at: path, base, size: size)
    // The mapping keeps the open file, and therefore the lock, alive.
    flock(file, LOCK_UN)
    OwnDescriptor.close(file, identity)
  }

  /// Closes the descriptor. This doesn't take a lock, because a child process calls it.
  func abandon() {
    let file = descriptor.exchange(-1, ordering: .sequentiallyConsistent)
    if file >= 0 { OwnDescriptor.close(file, identity) }
  }

  /// Gives up the file in a child process, which must not keep the lock after its parent ends.
  ///
  /// A mapping keeps the lock, so other memory replaces it. The child can have been forked by a
  /// signal handler that interrupted its thread in the middle of a line. The rest of the line is
  /// then written to that memory.
  func leaveToParent() {
    abandon()
    guard isMapped.load(ordering: .relaxed) else { return }
    mmap(
      base, mappedSize, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANON | MAP_NORESERVE | MAP_FIXED,
      -1, 0)
  }

  func unmap() {
    growth.withLock { _ in
      guard isMapped.exchange(false, ordering: .sequentiallyConsistent) else { return }
      munmap(base, mappedSize)
    }
  }

  /// Prepares the types that `end` needs. See `TracingState.prepare`.
  func prepareEnding() {
    _ = growth.withLock(until: .max) { growth -> Ended in
      Ended(file: nil, failure: growth.failure ?? growth.rotationFailure, size: growth.size)
    }
  }

  /// Takes a lock that keeps other recorders away from the file after it is closed.
  func lockBeyondClosing() -> SharedLock? {
    let lock = growth.withLock(until: LogClock.monotonic() + LogFile.patience) { _ -> SharedLock? in
      guard let file = ownDescriptor() else { return nil }
      // No other recorder can get the lock in between: the system replaces an exclusive lock with a
      // shared one in one step.
      flock(file, LOCK_SH | LOCK_NB)
      return SharedLock(path, identity)
    }
    return lock ?? nil
  }

  /// Returns the descriptor of the file and reopens the file if the program has closed it. Returns
  /// nil if the file is no longer at its path. The caller must hold `growth`.
  private func ownDescriptor() -> Int32? {
    let known = descriptor.load(ordering: .relaxed)
    if OwnDescriptor.isOpen(known, identity) { return known }
    let new = OwnDescriptor.open(path, O_RDWR | O_NONBLOCK)
    guard new >= 0 else { return nil }
    guard OwnDescriptor.isOpen(new, identity) else {
      _ = systemClose(new)
      return nil
    }
    descriptor.store(new, ordering: .relaxed)
    return new
  }
}
