import ReactiveKit
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

  /// The path of the file that is actually written, including `.2` if another process writes the
  /// first one. The path is absolute, because the program may change its working directory.
  package let path: String
  let base: UnsafeMutableRawPointer
  let mappedSize: Int
  /// The offset where ordinary lines must end, however much room the disk has. It is set before
  /// other threads know the file.
  private(set) var limit: Int
  /// The offset where ordinary lines begin, after the header and the lines handed on by an earlier
  /// file of the log.
  private(set) var start: Int
  /// The open file, or -1 after it is closed. The program may have closed the descriptor and
  /// received its number for a file of its own: see `ownDescriptor`.
  let descriptor: Atomic<Int32>
  let fileIdentity: FileIdentity
  let tally: Tally
  /// A number that identifies the file among the files of the process.
  let identity: UInt

  /// The next free offset. A bit above the offset says whether the file is closed.
  let cursor: Atomic<UInt64>
  static let closed: UInt64 = 1 << 47
  static let offsetMask: UInt64 = closed - 1
  /// Padding that keeps the following properties out of the cache lines of `cursor`, which records
  /// take away from other cores.
  private let padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
    (0, 0, 0, 0, 0, 0, 0, 0)

  /// The state that all threads may read without taking `cursor` from its owner. It comes after the
  /// cursor in memory.
  let state = Atomic<UInt8>(State.open)
  enum State {
    static let open: UInt8 = 0
    static let full: UInt8 = 1
    static let closed: UInt8 = 2
  }

  /// The number of records that found no room, and how many of them a `lost` record reports.
  let lost = Atomic<Int>(0)
  let lostTold = Atomic<Int>(0)
  /// The number of records made by a signal handler that interrupted the recorder on the same
  /// thread.
  let interrupted = Atomic<Int>(0)
  /// The time to check again whether there is room, in nanoseconds of the monotonic clock.
  let retryTime = Atomic<Int>(0)

  /// The end of the space for lines. After it are `Growth.reserve` bytes for the last lines.
  let usableEnd: Atomic<Int>
  /// The offset at which a writer requests a longer file, while the other writers still have room.
  let growAt: Atomic<Int>
  let growth: Guarded<Growth>

  init(_ opened: Opened, limit: Int) {
    path = opened.path
    base = opened.base
    mappedSize = opened.mappedSize
    self.limit = limit
    start = opened.headerSize
    tally = Tally()
    identity = UInt(bitPattern: ObjectIdentifier(tally))
    descriptor = Atomic(opened.descriptor)
    fileIdentity = opened.identity
    cursor = Atomic(UInt64(opened.headerSize))
    usableEnd = Atomic(opened.size - Growth.reserve)
    growAt = Atomic(opened.size / 2)
    growth = Guarded(Growth(size: opened.size))
  }

  deinit {
    abandon()
    growth.withLock { if $0.isMapped { munmap(base, mappedSize) } }
  }

  /// Marks the point where all lines handed on from earlier files are in the file.
  func begin() { start = Int(cursor.load(ordering: .relaxed)) }

  /// Raises the limit for a line that is handed on. Such a line does not count toward the size,
  /// because otherwise a file could be full before its first record.
  func raiseLimit(by size: Int) {
    if limit < Int.max { limit += size }
  }

  /// The size of the file at its maximum.
  var longest: Int { limit < mappedSize - Growth.reserve ? limit + Growth.reserve : mappedSize }

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
}
