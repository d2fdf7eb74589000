import ReactiveKit
import Synchronization
import SystemLibrary
import TraceFormat
import TraceShims

extension LogFile {
  /// What became of the records, for the last lines. `lost` is 0 in an ordinary run.
  package struct Account: Sendable {
    /// Lines in the file, the header among them.
    package var records: Int
    package var lost: Int
    /// Those that no `lost` record has told of.
    package var untold: Int
    package var reason: String
    /// The bytes that there is room for.
    package var room: Int
  }

  /// How long who closes a log waits for others, in nanoseconds.
  static let patience = 200_000_000

  /// Takes no more records, waits for those that are being filled, adds the last lines and cuts the file to its length.
  /// `lines` is told for each line whether there was room for it; for the first 512 bytes there is.
  ///
  /// Others are waited for until `deadline`, 0.2 seconds: a writer that does not come to an end (a debugger has halted its
  /// thread) still has its space below the new end, and may fill it. Where it is this very thread that was interrupted, by a
  /// signal handler that calls `exit`, nobody is waited for. Who cannot be counted in time leaves a log without an end, as a
  /// process that was killed does; who is making the file longer leaves it as long as it is.
  package func close(
    by deadline: Int = LogClock.monotonic() + LogFile.patience,
    last lines: (Account, (borrowing LineBuffer) -> Bool) -> Void
  ) {
    let before = cursor.bitwiseOr(Self.closed, ordering: .acquiringAndReleasing).oldValue
    guard before & Self.closed == 0 else { return }
    state.store(State.closed, ordering: .sequentiallyConsistent)
    // Who uses a chunk has looked at `state` after saying that it is filling, without a barrier between the two: this is the
    // barrier, for all of them.
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
    // A descriptor that the program has closed leaves the newlines behind the last line, which no reader minds.
    if let file = known?.file, OwnDescriptor.isOpen(file, fileIdentity) {
      ftruncate(file, off_t(end))
      restoreIfDeleted(file, size: end)
      // The mapping keeps the open file, and with it the lock, beyond `close`.
      flock(file, LOCK_UN)
      OwnDescriptor.close(file, fileIdentity)
    }
    if areDone, known != nil { unmap() }
  }

  private typealias Known = (file: Int32?, reason: String, room: Int)

  /// See `TracingState.prepare`.
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

  /// The records of all threads, those that are gone among them.
  private func written(by deadline: Int) -> Int? {
    var count = 0
    let identity = identity
    let isKnown = ThreadContext.forEach(until: deadline) { context in
      if context.pointee.file.load(ordering: .relaxed) == identity {
        count += context.pointee.written.load(ordering: .relaxed)
      }
    } finally: {
      // Before a thread can end or turn to another file and be counted twice.
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

  /// Whether another thread fills space.
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

  /// Whether this thread does, which a signal handler has interrupted.
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

  /// A file that somebody has deleted meanwhile has no name any more, and would go with the process: it gets a new one.
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
