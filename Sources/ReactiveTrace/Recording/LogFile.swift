import ReactiveKit
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The file of a log, mapped into memory: a line that is published is the kernel's, whatever becomes of the process.
///
/// **What holds at every instant, also after SIGKILL between any two instructions of any threads:** the file is UTF-8,
/// and each of its lines is blank or one complete JSON object. Three rules make it so.
///
/// 1. The file grows by writing newlines, never by `ftruncate`, so no NUL byte is ever seen; the system call also tells
///    about a full disk, where a store to a mapped page could only crash.
/// 2. A writer reserves its space with one atomic addition. Spaces do not overlap, so what one writer leaves
///    unfinished is a line of its own.
/// 3. `LinePublisher` makes a line grow as a valid object, and shows its event last. A thread killed on the way leaves
///    an object with an event that no reader knows, as `-ext`, or (after the very first step) with `t` alone: a record
///    that was not complete, one a thread at most.
///
/// What that costs, measured on one machine (x86-64, ext4) for lines of 100 bytes: a plain copy takes 15 ns, the growing
/// object some 40, `pwrite`, which the kernel does not interrupt within a page, 410. Of 660 processes killed at random
/// while they did nothing but trace, 287 threads were in the middle of a line, which a plain copy would have torn.
///
/// A step is one instruction in optimised code on x86-64 (checked) and should be on arm64 (not yet checked). A crash of the
/// machine (not of the process) may lose pages that the kernel has not yet written back.
///
/// `@unchecked Sendable`: the memory behind `base` is shared without a lock. Who may write where is what `cursor` has
/// handed out: each byte has one writer, ever, and nobody reads it back. `close` writes behind the last of them.
package final class LogFile: @unchecked Sendable {
  /// The file that is really written, with its `.2` where another process writes the first.
  package let path: String
  let base: UnsafeMutableRawPointer
  let mappedSize: Int
  /// The open file, or -1 once it is closed.
  let descriptor: Atomic<Int32>

  /// The next free byte in the low bits; above it whether the file is closed; above that the number of spaces handed
  /// out, modulo 2^24.
  let cursor: Atomic<UInt64>
  static let closed: UInt64 = 1 << 39
  static let offsetMask: UInt64 = closed - 1
  static let one: UInt64 = 1 << 40
  /// Keeps what follows out of the cache lines of `cursor`, which every record takes from the other cores.
  private let padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
    (0, 0, 0, 0, 0, 0, 0, 0)

  /// What everybody may read without taking `cursor` from its owner; it follows the cursor.
  let state = Atomic<UInt8>(State.open)
  enum State {
    static let open: UInt8 = 0
    static let full: UInt8 = 1
    static let closed: UInt8 = 2
  }

  /// Spaces that could not be filled, and records that were given none, as the disk was full.
  let abandoned = Atomic<Int>(0)
  let refused = Atomic<Int>(0)

  /// Up to here lines may be written; behind it lie `Growth.reserve` bytes for the last words.
  let usableEnd: Atomic<Int>
  /// The writer that passes this makes the file longer, while the others still have room.
  let growAt: Atomic<Int>
  let growth: Locked<Growth>

  init(_ opened: Opened) {
    path = opened.path
    base = opened.base
    mappedSize = opened.mappedSize
    descriptor = Atomic(opened.descriptor)
    cursor = Atomic(UInt64(opened.headerSize))
    usableEnd = Atomic(opened.size - Growth.reserve)
    growAt = Atomic(opened.size / 2)
    growth = Locked(Growth(size: opened.size))
  }

  deinit {
    abandon()
    munmap(base, mappedSize)
  }

  /// Whether records are taken: false once it is closed. A full disk counts as open, because losses are counted.
  package var isOpen: Bool {
    state.load(ordering: .relaxed) != State.closed
  }

  /// Hands out space for the line of `thread`; nil where the log is closed or full.
  ///
  /// The order of lines in the file is the order of these calls. Whoever gets a space must call `fill` with it.
  @inline(__always)
  package func reserve(for thread: UnsafeMutablePointer<ThreadContext>) -> Int? {
    let size = UInt64(thread.pointee.line.count + 1)
    if state.load(ordering: .relaxed) == State.open {
      // Said before the addition that `close` comes after, or not: then the space is not given.
      thread.pointee.filling.store(UInt(bitPattern: base), ordering: .relaxed)
      let before = cursor.wrappingAdd(Self.one + size, ordering: .acquiringAndReleasing).oldValue
      if before & Self.closed == 0 { return Int(before & Self.offsetMask) }
      thread.pointee.filling.store(0, ordering: .relaxed)
    } else if isOpen {
      refused.wrappingAdd(1, ordering: .relaxed)
    }
    return nil
  }

  /// Writes the line of `thread` into its space.
  @inline(__always)
  package func fill(_ space: Int, from thread: UnsafeMutablePointer<ThreadContext>) {
    let end = space + thread.pointee.line.count + 1
    if end <= usableEnd.load(ordering: .acquiring) || growSlowPath(to: end) {
      LinePublisher.publish(thread.pointee.line, to: base + space)
    } else {
      abandoned.wrappingAdd(1, ordering: .relaxed)
    }
    thread.pointee.filling.store(0, ordering: .releasing)
    if end > growAt.load(ordering: .relaxed) { growAheadSlowPath() }
  }

  /// Gives the file up without a word, and without touching it: for a child process, whose parent writes on.
  package func abandon() {
    cursor.bitwiseOr(Self.closed, ordering: .sequentiallyConsistent)
    state.store(State.closed, ordering: .sequentiallyConsistent)
    let file = descriptor.exchange(-1, ordering: .sequentiallyConsistent)
    if file >= 0 { _ = Self.closeFile(file) }
  }

  static func closeFile(_ file: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.close(file)
    #elseif canImport(Musl)
      Musl.close(file)
    #else
      Darwin.close(file)
    #endif
  }
}
