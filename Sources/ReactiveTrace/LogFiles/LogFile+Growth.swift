import Dispatch
import ReactiveKit
import Synchronization
import SystemLibrary
import TraceFormat
import TraceShims

extension LogFile {
  /// The size of the file, and whether it can grow.
  struct Growth {
    /// The space that ordinary lines never take, so that a full disk leaves room for `lost` and
    /// `end`.
    static let reserve = 512
    static let firstSize = 256 * 1024
    static let step = 256 * 1024
    /// The amount of space prepared ahead of the writers: the first value, and the maximum for
    /// writers that are faster than that.
    static let windows = 1 << 20...32 << 20
    /// The newlines that one call writes.
    static let padding = [UInt8](repeating: UInt8(ascii: "\n"), count: 64 * 1024)

    var size: Int
    var window = windows.lowerBound
    /// The error that ended all growth, until there is room again.
    var failure: Int32?
    /// The reason why the next file of the log cannot be created, until it can be.
    var rotationFailure: Int32?
    /// Set by `close`, so that a late writer does not make the file longer.
    var isClosed = false
    var isMapped = true
    /// The end of the memory that was given back. The log of a long run must not fill the memory of
    /// its program.
    var released = 0
  }

  /// The time to wait before checking again whether a full disk has room: 0.1 seconds.
  static let retryInterval = 100_000_000

  /// The queue that extends the file, so that threads that write a record do not have to.
  private static let preparing = DispatchQueue(label: "reactive-trace.prepare", qos: .userInitiated)

  /// Prepares the static values. See `WarmUp`.
  static func prepare() { _ = (hasChunks, preparing, Growth.padding.count) }

  /// Writes up to `count` newlines from `offset` on, as many as the system allows. Returns the new
  /// size and the error if there was one.
  ///
  /// The limit is requested first, so that the file can grow exactly up to it. `trace_pwrite`
  /// protects the program from the signal SIGXFSZ if the limit changes in the meantime.
  static func pad(
    _ file: Int32, _ identity: FileIdentity, from offset: Int, count: Int
  ) -> (size: Int, error: Int32) {
    let limit = ResourceLimit.fileSize.current ?? .max
    var size = offset
    let goal = offset + count
    while size < goal {
      let room = min(goal, limit) - size
      guard room > 0 else { return (size, EFBIG) }
      guard OwnDescriptor.isOpen(file, identity) else { return (size, EBADF) }
      let written = Growth.padding.withUnsafeBytes {
        trace_pwrite(file, $0.baseAddress, min($0.count, room), size)
      }
      if written > 0 {
        size += written
      } else if errno != EINTR {
        return (size, written == 0 ? ENOSPC : errno)
      }
    }
    return (size, 0)
  }

  /// Makes sure that a line may end at `end`. Returns false if the disk is full, which produces a
  /// warning once.
  @inline(never)
  func growSlowPath(to end: Int) -> Bool {
    var news: Int32?
    let isRoom = growth.withLock { growth in
      while usableEnd.load(ordering: .relaxed) < end {
        if growth.failure != nil || growth.isClosed { return false }
        // The writers are faster than the prepared space allows for.
        growth.window = min(2 * growth.window, Growth.windows.upperBound)
        let error = extend(&growth, by: max(Growth.step, end + Growth.reserve - growth.size))
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
        "cannot write more of the log '\(path)': \(Self.reason(news)). Records from here on are "
          + "counted as lost until there is room; the program runs on.")
    }
    return isRoom
  }

  /// Requests more file space before it is needed. A failure here costs nothing yet.
  @inline(never)
  func growAheadSlowPath() {
    // Only one of the threads that pass the mark resets it and requests the work.
    guard growAt.exchange(.max, ordering: .relaxed) != .max else { return }
    // A forked child has no thread for this work. There, the writer that reaches the end of the
    // file extends it.
    guard !ProcessHooks.isForkedChild else { return }
    Self.preparing.async { [self] in
      // The steps are small because a writer that has reached the end needs the lock.
      while growth.withLock({ prepareStep(&$0) }) {}
    }
  }

  /// Prepares some space and reports whether there is more to prepare.
  private func prepareStep(_ growth: inout Growth) -> Bool {
    guard growth.failure == nil, !growth.isClosed else { return false }
    let position = Int(cursor.load(ordering: .relaxed) & Self.offsetMask)
    if growth.size - position < growth.window, growth.size < longest {
      if extend(&growth, by: Growth.step) == 0 { return true }
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
  func resumeSlowPath(_ thread: UnsafeMutablePointer<ThreadContext>, at time: Int) -> Bool {
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
      let wanted = max(Growth.step, position + Growth.step - growth.size)
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
    let (size, error) = Self.pad(file, fileIdentity, from: growth.size, count: wanted)
    Self.touch(base, from: growth.size, to: size)
    growth.size = size
    usableEnd.store(size - Growth.reserve, ordering: .releasing)
    return error
  }

  /// Returns the descriptor of the file and reopens the file if the program has closed it. Returns
  /// nil if the file is no longer at its path. The caller must hold `growth`.
  func ownDescriptor() -> Int32? {
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
    let unit = Growth.windows.lowerBound
    let old = (position - 8 * unit) & ~(unit - 1)
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
}
