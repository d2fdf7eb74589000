import ReactiveKit
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension LogFile {
  /// What became of the records, for the last lines. `lost` is 0 in an ordinary run.
  package struct Tally: Sendable {
    /// Lines in the file, the header among them.
    package var records: Int
    package var lost: Int
    package var reason: String?
  }

  /// Takes no more records, waits for those that are being filled, adds the last lines and cuts the file to its length.
  ///
  /// A writer that does not come to an end (its thread was halted by a debugger, or is the one that called `exit` from
  /// a signal handler) is waited for 0.2 seconds; its space is below the new end, so it may still fill it.
  package func close(last lines: (Tally, (borrowing LineBuffer) -> Void) -> Void) {
    let before = cursor.bitwiseOr(Self.closed, ordering: .acquiringAndReleasing).oldValue
    guard before & Self.closed == 0 else { return }
    state.store(State.closed, ordering: .relaxed)
    waitForWriters()
    let (file, failure, spaces) = growth.withLock { growth in
      growth.isClosed = true
      countSpaces(&growth, before)
      return (descriptor.exchange(-1, ordering: .relaxed), growth.failure, growth.records)
    }
    guard file >= 0 else { return }
    var end = min(Int(before & Self.offsetMask), usableEnd.load(ordering: .acquiring))
    let abandoned = self.abandoned.load(ordering: .relaxed)
    let tally = Tally(
      records: 1 + spaces - abandoned, lost: abandoned + refused.load(ordering: .relaxed),
      reason: failure.map(CText.reason))
    lines(tally) { line in
      LinePublisher.publish(line, to: base + end)
      end += line.count + 1
    }
    ftruncate(file, off_t(end))
    // The mapping keeps the open file, and with it the lock, beyond `close`.
    flock(file, LOCK_UN)
    _ = Self.closeFile(file)
  }

  private func waitForWriters() {
    let clock = LogClock()
    while ThreadContext.isAnyFilling(base), clock.now < 200_000_000 { sched_yield() }
  }
}
