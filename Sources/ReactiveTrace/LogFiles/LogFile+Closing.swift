import ReactiveKit
import Synchronization
import SystemLibrary
import TraceFormat
import TraceShims

extension LogFile {
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

  /// The time that the thread that closes a log waits for others, in nanoseconds.
  static let patience = 200_000_000

  /// Stops taking records, waits for those in progress, adds the last lines and cuts the file to
  /// its length. The publish function passed to `lines` returns whether there was room for the
  /// line. The first 512 bytes always fit.
  ///
  /// The wait for other threads lasts until `deadline`, 0.2 seconds by default. A writer that does
  /// not finish (because a debugger has suspended its thread) still has its space below the new end
  /// and may fill it. There is no wait for the current thread if a signal handler that calls `exit`
  /// has interrupted it. If the records cannot be counted in time, the log gets no end, as after a
  /// kill. If another thread is extending the file at the deadline, the file keeps its length.
  package func close(
    by deadline: Int = LogClock.monotonic() + LogFile.patience,
    last lines: (Account, (borrowing LineBuffer) -> Bool) -> Void
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
    let room = known?.room ?? usableEnd.load(ordering: .acquiring) + Growth.reserve
    var end = max(start, min(Int(before & Self.offsetMask), limit, room - Growth.reserve))
    let interrupted = interrupted.load(ordering: .relaxed) + (isFillingHere ? 1 : 0)
    let lost = lost.load(ordering: .relaxed) + interrupted
    let account = Account(
      records: 1 + written, lost: lost, untold: lost - lostTold.load(ordering: .relaxed),
      reason: known?.reason ?? Self.interruption, room: room - end)
    lines(account) { line in
      guard end + line.count < room else { return false }
      LinePublisher.publish(line, to: base + end)
      end += line.count + 1
      return true
    }
    // If the program has closed the descriptor, the newlines after the last line stay. Readers
    // ignore them.
    if let file = known?.file, OwnDescriptor.isOpen(file, fileIdentity) {
      ftruncate(file, off_t(end))
      restoreIfDeleted(file, size: end)
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

  static func reason(_ failure: Int32) -> String {
    failure == EBADF
      ? "the program has closed the file, and it is not at its path any more"
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

  /// Saves a file that was deleted in the meantime. It has no name any more and would disappear
  /// with the process, so it gets a new name.
  private func restoreIfDeleted(_ file: Int32, size: Int) {
    var information = stat()
    guard fstat(file, &information) == 0, information.st_nlink == 0 else { return }
    var number = 1
    var copy: Int32
    repeat {
      let name = LogPath.candidate(path, number)
      copy = OwnDescriptor.open(name, O_WRONLY | O_CREAT | O_EXCL)
      number += 1
    } while copy < 0 && errno == EEXIST
    let name = LogPath.candidate(path, number - 1)
    guard copy >= 0, let identity = FileIdentity(copy) else {
      return Diagnostics.warn(
        "the log '\(path)' was deleted while it was written, and '\(name)' cannot be made: "
          + "\(SystemError.reason(errno)). Its records are gone.")
    }
    defer { OwnDescriptor.close(copy, identity) }
    var done = 0
    while done < size, OwnDescriptor.isOpen(copy, identity) {
      let count = trace_pwrite(copy, base + done, min(size - done, 1 << 20), done)
      guard count > 0 else {
        if count < 0, errno == EINTR { continue }
        return Diagnostics.warn(
          "the log '\(path)' was deleted while it was written, and only a part of it could be "
            + "written to '\(name)': \(SystemError.reason(count < 0 ? errno : ENOSPC)).")
      }
      done += count
    }
    Diagnostics.warn("the log '\(path)' was deleted while it was written: it is in '\(name)'.")
  }
}
