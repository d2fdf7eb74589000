import ReactiveKit
import Synchronization
import SystemLibrary
import TraceFormat
import TraceShims

/// The file of a log, mapped into memory: a line that is published is the kernel's, whatever becomes of the process.
///
/// **What holds at every instant, also after SIGKILL between any two instructions of any threads:** the file is UTF-8,
/// and each of its lines is blank or one complete JSON object. Three rules make it so.
///
/// 1. The file grows by writing newlines, never by `ftruncate`, so no NUL byte is ever seen; the system call also tells
///    about a full disk, where a store to a mapped page could only crash. File systems that copy on write give no such promise.
/// 2. A writer reserves its space with one atomic addition. Spaces do not overlap, so what one writer leaves
///    unfinished is a line of its own.
/// 3. `LinePublisher` makes a line grow as a valid object, and shows its event last. A thread killed on the way leaves
///    an object with an event that no reader knows, as `-ext`, or (after the very first step) with `t` alone: a record
///    that was not complete, one a thread at most.
///
/// **Who waits for whom.** Nobody, but two: `close` waits for those who are filling, and who comes to the end of the
/// prepared part of the file makes it longer, unless another thread has. A thread that writes a million records a second
/// takes its space in chunks, so that it need not touch `cursor` for each; the lines of its chunk then stand
/// together, and a reader orders records by their time.
///
/// A step is one instruction in optimised code on x86-64 (checked) and should be on arm64 (not yet checked). A crash of the
/// machine (not of the process) may lose pages that the kernel has not yet written back. A file that somebody cuts short
/// while it is mapped ends the process with SIGBUS at the next record in the missing part: nobody may do that.
///
/// `@unchecked Sendable`: the memory behind `base` is shared without a lock. Who may write where is what `cursor` has
/// handed out: each byte has one writer, ever, and nobody reads it back. `close` writes behind the last of them.
package final class LogFile: @unchecked Sendable {
  /// Counts the records of threads that are gone.
  final class Tally: Sendable {
    private let count = Atomic<Int>(0)

    func retire(_ records: Int) { count.wrappingAdd(records, ordering: .relaxed) }

    var retired: Int { count.load(ordering: .relaxed) }
  }

  /// The file that is really written, with its `.2` where another process writes the first; from the root of the file
  /// system, as the program may change its working directory.
  package let path: String
  let base: UnsafeMutableRawPointer
  let mappedSize: Int
  /// Ordinary lines end here at the latest, however much room the disk has. Set before others know the file.
  private(set) var limit: Int
  /// Where ordinary lines begin: behind the header and what an earlier file of the log had to hand on.
  private(set) var start: Int
  /// The open file, or -1 once it is closed. The program may have closed it, and may have been given its number for a file of
  /// its own: see `ownDescriptor`.
  let descriptor: Atomic<Int32>
  let fileIdentity: FileIdentity
  let tally: Tally
  /// Names the file among those of the process.
  let identity: UInt

  /// The next free byte; above it whether the file is closed.
  let cursor: Atomic<UInt64>
  static let closed: UInt64 = 1 << 47
  static let offsetMask: UInt64 = closed - 1
  /// Keeps what follows out of the cache lines of `cursor`, which records take from the other cores.
  private let padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
    (0, 0, 0, 0, 0, 0, 0, 0)

  /// What everybody may read without taking `cursor` from its owner; it follows the cursor.
  let state = Atomic<UInt8>(State.open)
  enum State {
    static let open: UInt8 = 0
    static let full: UInt8 = 1
    static let closed: UInt8 = 2
  }

  /// Records that found no room, and how many of them a `lost` record tells of.
  let lost = Atomic<Int>(0)
  let lostTold = Atomic<Int>(0)
  /// Records that a signal handler made while it interrupted the recorder on its own thread.
  let interrupted = Atomic<Int>(0)
  /// When to look again whether there is room, in nanoseconds of the monotonic clock.
  let retryTime = Atomic<Int>(0)

  /// Up to here lines may be written; behind it lie `Growth.reserve` bytes for the last words.
  let usableEnd: Atomic<Int>
  /// The writer that passes this has the file made longer, while the others still have room.
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

  /// Says that all that is handed on is there.
  func begin() { start = Int(cursor.load(ordering: .relaxed)) }

  /// Makes room for a line that is handed on. It does not count for the size, or a file might be full before its first
  /// record.
  func raiseLimit(by size: Int) {
    if limit < Int.max { limit += size }
  }

  /// Where the file ends when it has all that it may have.
  var longest: Int { limit < mappedSize - Growth.reserve ? limit + Growth.reserve : mappedSize }

  /// Whether a line of that size finds room in a file that has none yet.
  func canTake(_ size: Int) -> Bool { size <= limit - start }

  /// Whether records are taken: false once it is closed. A full disk counts as open, because losses are counted.
  package var isOpen: Bool {
    state.load(ordering: .relaxed) != State.closed
  }

  /// Gives the file up without a word, and without touching it: for a child process, whose parent writes on.
  package func abandon() {
    cursor.bitwiseOr(Self.closed, ordering: .sequentiallyConsistent)
    state.store(State.closed, ordering: .sequentiallyConsistent)
    let file = descriptor.exchange(-1, ordering: .sequentiallyConsistent)
    if file >= 0 { OwnDescriptor.close(file, fileIdentity) }
  }

  static func closeFile(_ file: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.close(file)
    #elseif canImport(Musl)
      Musl.close(file)
    #elseif canImport(Android)
      Android.close(file)
    #else
      Darwin.close(file)
    #endif
  }
}
