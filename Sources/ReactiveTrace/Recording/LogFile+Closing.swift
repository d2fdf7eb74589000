import ReactiveKit
import Synchronization
import TraceShims

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Darwin
#endif

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

  /// Takes no more records, waits for those that are being filled, adds the last lines and cuts the file to its length.
  /// `lines` is told for each line whether there was room for it; for the first 512 bytes there is.
  ///
  /// A writer that does not come to an end (its thread was halted by a debugger, or is the one that called `exit` from
  /// a signal handler) is waited for 0.2 seconds; its space is below the new end, so it may still fill it.
  package func close(last lines: (Account, (borrowing LineBuffer) -> Bool) -> Void) {
    let before = cursor.bitwiseOr(Self.closed, ordering: .acquiringAndReleasing).oldValue
    guard before & Self.closed == 0 else { return }
    state.store(State.closed, ordering: .sequentiallyConsistent)
    // Who uses a chunk has looked at `state` after saying that it is filling, without a barrier between the two: this is the
    // barrier, for all of them.
    if Self.hasChunks { trace_barrier() }
    let areDone = waitForWriters()
    let (file, failure, room) = growth.withLock { growth in
      growth.isClosed = true
      return (descriptor.exchange(-1, ordering: .relaxed), growth.failure, growth.size)
    }
    guard file >= 0 else { return }
    var end = min(Int(before & Self.offsetMask), usableEnd.load(ordering: .acquiring))
    let lost = lost.load(ordering: .relaxed)
    let account = Account(
      records: 1 + written, lost: lost, untold: lost - lostTold.load(ordering: .relaxed),
      reason: reason(failure), room: room - end)
    lines(account) { line in
      guard end + line.count < room else { return false }
      LinePublisher.publish(line, to: base + end)
      end += line.count + 1
      return true
    }
    ftruncate(file, off_t(end))
    restoreIfDeleted(file, size: end)
    // The mapping keeps the open file, and with it the lock, beyond `close`.
    flock(file, LOCK_UN)
    _ = Self.closeFile(file)
    if areDone { unmap() }
  }

  func reason(_ failure: Int32?) -> String {
    failure.map(CText.reason) ?? "maximum size reached"
  }

  /// The records of all threads, those that are gone among them.
  private var written: Int {
    var count = 0
    let identity = identity
    ThreadContext.forEach { context in
      if context.pointee.file.load(ordering: .relaxed) == identity {
        count += context.pointee.written.load(ordering: .relaxed)
      }
    } finally: {
      // Before a thread can end or turn to another file and be counted twice.
      count += tally.retired
    }
    return count
  }

  private func waitForWriters() -> Bool {
    let clock = LogClock()
    while isAnyFilling {
      if clock.now > 200_000_000 { return false }
      sched_yield()
    }
    return true
  }

  private var isAnyFilling: Bool {
    var isAny = false
    let identity = identity
    ThreadContext.forEach { context in
      if context.pointee.filling.load(ordering: .acquiring) == identity { isAny = true }
    }
    return isAny
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
      copy = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
      number += 1
    } while copy < 0 && errno == EEXIST
    let name = LogPath.candidate(path, number - 1)
    guard copy >= 0 else {
      return CText.complain(
        "the log '\(path)' was deleted while it was written, and '\(name)' cannot be made: "
          + "\(CText.reason(errno)). Its records are gone.")
    }
    defer { _ = Self.closeFile(copy) }
    var done = 0
    while done < size {
      let count = pwrite(copy, base + done, min(size - done, 1 << 20), off_t(done))
      guard count > 0 else {
        if count < 0, errno == EINTR { continue }
        return CText.complain(
          "the log '\(path)' was deleted while it was written, and only a part of it could be "
            + "written to '\(name)': \(CText.reason(count < 0 ? errno : ENOSPC)).")
      }
      done += count
    }
    CText.complain("the log '\(path)' was deleted while it was written: it is in '\(name)'.")
  }
}
