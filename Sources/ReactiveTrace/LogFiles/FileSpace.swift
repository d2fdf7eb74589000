import Dispatch
import Synchronization
import SystemLibrary
import TraceShims

/// The space of an open file that is prepared for lines, ahead of the threads that write them.
///
/// Preparing means to write newlines, and to load the pages. A queue does it, so that threads that
/// write a record do not have to. A thread that reaches the end of the space extends it itself.
///
/// `@unchecked Sendable`: only one thread knows the file while `limit` changes. `base` stays the same,
/// and only the system uses the memory behind it here. All other state is atomic or behind `growth`.
final class FileSpace: @unchecked Sendable {
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
    /// Set by `end`, so that a late writer does not make the file longer.
    var isClosed = false
    /// The end of the memory that was given back. The log of a long run must not fill the memory of
    /// its program.
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
  /// The offset where ordinary lines must end, however much room the disk has.
  private(set) var limit: Int
  /// The open file, or -1 after it is closed. The program may have closed the descriptor and
  /// received its number for a file of its own: see `ownDescriptor`.
  private let descriptor: Atomic<Int32>
  private let identity: FileIdentity
  /// The end of the space for lines. After it are `LogFile.reservedSize` bytes for the last lines.
  private let usableEnd: Atomic<Int>
  /// The offset at which a writer requests a longer file, while the other writers still have room.
  private let growAt: Atomic<Int>
  private let growth: BlockingGuarded<Growth>
  /// False from the moment before the memory is given back.
  private let isMapped = Atomic<Bool>(true)
  /// The number of threads that wait for `growth` because they have reached the end of the file, or
  /// end its growth.
  private let waitingCount = Atomic<Int>(0)

  init(_ opened: OpenedFile, limit: Int) {
    path = opened.path
    base = opened.base
    mappedSize = opened.mappedSize
    // The system may give fewer addresses than the file may have bytes. The log then continues in
    // the next file earlier. The rest is for lines that are handed on.
    self.limit = limit < .max ? min(limit, opened.mappedSize / 4 * 3) : limit
    descriptor = Atomic(opened.descriptor)
    identity = opened.identity
    usableEnd = Atomic(opened.size - LogFile.reservedSize)
    growAt = Atomic(opened.size / 2)
    growth = BlockingGuarded(Growth(size: opened.size))
  }

  /// Raises the limit for a line that is handed on. Such a line does not count toward the size,
  /// because otherwise a file could be full before its first record.
  func raiseLimit(by size: Int) {
    if limit < Int.max { limit += size }
  }

  /// The size of the file at its maximum.
  private var longest: Int {
    limit < mappedSize - LogFile.reservedSize ? limit + LogFile.reservedSize : mappedSize
  }

  /// The end of the space for lines.
  @inline(__always)
  var end: Int { usableEnd.load(ordering: .acquiring) }

  /// Reports whether a line that ends at `end` should request more space.
  @inline(__always)
  func isLow(at end: Int) -> Bool { end > growAt.load(ordering: .relaxed) }

  // MARK: Growing

  /// Makes sure that a line may end at `end`. Returns false if the disk is full. The first time, this
  /// calls `whenFull` before any other thread can extend the file.
  @inline(never)
  func makeRoom(to end: Int, whenFull: () -> Void) -> Bool {
    var news: Int32?
    waitingCount.wrappingAdd(1, ordering: .relaxed)
    defer { waitingCount.wrappingSubtract(1, ordering: .relaxed) }
    let isRoom = growth.withLock { growth in
      while usableEnd.load(ordering: .relaxed) < end {
        if growth.failure != nil || growth.isClosed { return false }
        // The writers are faster than the prepared space allows for.
        growth.window = min(2 * growth.window, Growth.windows.upperBound)
        let wanted = max(growth.nextStep, end + LogFile.reservedSize - growth.size)
        let error = extend(&growth, by: wanted)
        if error == 0, growth.size < longest { growAt.store(0, ordering: .relaxed) }
        guard error != 0, usableEnd.load(ordering: .relaxed) < end else { continue }
        growth.failure = error
        whenFull()
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

  /// Requests more space before it is needed. A failure here costs nothing yet. `position` returns
  /// the offset that the writers have reached.
  @inline(never)
  func prepareAhead(of position: @escaping @Sendable () -> Int) {
    // Only one of the threads that pass the mark resets it and requests the work.
    guard growAt.exchange(.max, ordering: .relaxed) != .max else { return }
    // A forked child has no thread for this work, and neither has a static program before main. There,
    // the writer that reaches the end of the file extends it.
    guard !ProcessHooks.isForkedChild, trace_has_dispatch() else { return }
    Self.preparing.async { [self] in
      // The steps are small because a writer that has reached the end needs the lock. A writer that
      // waits for it wakes up too slowly to get it between two steps, so it goes first.
      while growth.withLock({ prepareStep(&$0, position()) }) {
        if waitingCount.load(ordering: .relaxed) > 0 {
          return growAt.store(0, ordering: .relaxed)
        }
      }
    }
  }

  /// Prepares some space and reports whether there is more to prepare.
  private func prepareStep(_ growth: inout Growth, _ position: Int) -> Bool {
    guard growth.failure == nil, !growth.isClosed else { return false }
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

  private func extend(_ growth: inout Growth, by count: Int) -> Int32 {
    let wanted = min(count, longest - growth.size)
    guard wanted > 0 else { return EFBIG }
    guard let file = ownDescriptor() else { return EBADF }
    let (size, error) = OpenedFile.pad(file, identity, from: growth.size, count: wanted)
    touch(from: growth.size, to: size)
    growth.size = size
    usableEnd.store(size - LogFile.reservedSize, ordering: .releasing)
    return error
  }

  /// Loads new pages all at once, which costs less than one fault per page. This is only a hint.
  private func touch(from start: Int, to end: Int) {
    #if os(Linux)
      let populateForWriting: Int32 = 23
      let page = start & ~(64 * 1024 - 1)
      madvise(base + page, end - page, populateForWriting)
    #endif
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

  /// Runs `body` while no other thread can extend the file, for tests.
  func withoutGrowth(_ body: () -> Void) { growth.withLock { _ in body() } }

  // MARK: Failing

  /// Notes why the next file of the log cannot be created. Returns true the first time.
  func noteRotationFailure(_ failure: Int32) -> Bool {
    growth.withLock { growth in
      defer { growth.rotationFailure = failure }
      return growth.rotationFailure == nil
    }
  }

  /// Tries again what failed. Returns false if it is not to be tried, or fails again.
  ///
  /// - Parameters:
  ///   - position: The offset that the writers have reached.
  ///   - resume: Called if there is room, before any other thread can extend the file. Its argument
  ///     is the error that is over, or nil if only the next file of the log could not be created.
  func retry(at position: Int, _ resume: (Int32?) -> Void) -> Bool {
    growth.withLock { growth in
      guard !growth.isClosed else { return false }
      guard let failure = growth.failure else {
        guard growth.rotationFailure != nil else { return false }
        // The next line finds out whether the next file can be created.
        resume(nil)
        return true
      }
      let wanted = max(growth.nextStep, position + Growth.step - growth.size)
      let isRoom =
        growth.size < longest
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

  /// A file that grows no longer.
  struct Ended {
    /// The descriptor, or nil if the program has closed it.
    let file: Int32?
    /// The error that ended or interrupted growth.
    let failure: Int32?
    let size: Int
  }

  /// Ends all growth and gives up the descriptor. Returns nil if another thread extends the file until
  /// `deadline`.
  func end(by deadline: Int) -> Ended? {
    // Between two of its steps, the queue would take the lock again before this thread gets it.
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

  /// Cuts the file to its length and closes it.
  func cut(_ file: Int32, to size: Int) {
    guard OwnDescriptor.isOpen(file, identity) else { return }
    ftruncate(file, off_t(size))
    OpenedFile.restoreIfDeleted(file, at: path, base, size: size)
    // The mapping keeps the open file, and therefore the lock, alive.
    flock(file, LOCK_UN)
    OwnDescriptor.close(file, identity)
  }

  /// Closes the descriptor. This takes no lock, because a child process calls it.
  func abandon() {
    let file = descriptor.exchange(-1, ordering: .sequentiallyConsistent)
    if file >= 0 { OwnDescriptor.close(file, identity) }
  }

  /// Gives up the file in a child process, which must not keep the lock of a parent that is gone.
  ///
  /// A mapping keeps the lock, so other memory takes its place. The child may have been forked by a
  /// signal handler that interrupted its thread in the middle of a line. What the thread still
  /// writes then goes to that memory.
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

  /// Keeps other recorders away from the file even after it is closed.
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
