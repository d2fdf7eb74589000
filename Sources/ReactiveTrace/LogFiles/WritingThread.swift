import CRuntime.OwnProcess
import ReactiveKit
import Synchronization
import SystemLibrary

/// A thread's data about the file that it writes to: the space it has taken, and the number of its
/// records.
///
/// Only its own thread uses the data. Other threads only access the atomics. The recorder's data
/// for each thread begins with this structure, so both have the same address. See `ThreadContext`.
package struct WritingThread: ~Copyable {
  package typealias Pointer = UnsafeMutablePointer<WritingThread>

  /// The file space that belongs to the thread, and the time when it was taken. No other thread
  /// accesses it. This comes first, because the thread sanitizer takes each change of the
  /// recorder's data for an access to its first word.
  var chunk: (position: Int, end: Int, time: Int) = (0, 0, 0)
  /// The file in which the thread is filling space, or 0. See `LogFile.close`.
  let filling = Atomic<UInt>(0)
  /// The file to which `written` applies, or 0.
  let file = Atomic<UInt>(0)
  /// The number of records that the thread has written to that file.
  let written = Atomic<Int>(0)
  /// The tally that receives the number of records when the thread ends or switches to another
  /// file.
  private var tally: FileWriters.Tally?
  /// The number of records since a time, used to check whether the thread writes enough records for
  /// a chunk.
  var burst: (count: Int, start: Int) = (0, 0)

  /// A Boolean value that indicates whether the thread is in the list of threads. The value is true
  /// from the thread's first record on.
  private var isListed = false

  init() {}

  /// The data of the calling thread, or nil if the thread doesn't have any yet.
  static var known: Pointer? { trace_context()?.assumingMemoryBound(to: WritingThread.self) }

  /// The addresses of the data of all living threads that have written a record.
  private final class Threads: Sendable {
    let addresses = Guarded<[UInt]>([])
  }

  /// The list of threads. A child process starts with a new list, because the old list's lock can
  /// be held by a thread that doesn't exist in the child.
  private static let threads = Replaceable { Threads() }

  /// Replaces the list in a child process, whose only thread is the calling thread.
  static func beginInChild() {
    let new = Threads()
    if let known, known.pointee.isListed {
      new.addresses.withLock { $0 = [UInt(bitPattern: known)] }
    }
    threads.replace(new)
  }

  /// Calls `body` with the data of each living thread that has written a record. During the calls,
  /// and during `finally`, these threads stay alive and don't switch to another file. Returns false
  /// if the list isn't available by `deadline`.
  static func forEach(
    until deadline: Int, _ body: (UnsafePointer<WritingThread>) -> Void, finally: () -> Void = {}
  ) -> Bool {
    threads.current.addresses.withLock(until: deadline) { addresses in
      addresses.visitInPlace { address in
        if let thread = UnsafePointer<WritingThread>(bitPattern: address) { body(thread) }
      }
      finally()
      return true
    } ?? false
  }

  /// Makes a thread count its records for another file, or for no file if `tally` is nil.
  static func turn(_ thread: Pointer, to tally: FileWriters.Tally?, of file: UInt) {
    threads.current.addresses.withLock { addresses in
      if !thread.pointee.isListed {
        thread.pointee.isListed = true
        addresses.append(UInt(bitPattern: thread))
      }
      thread.pointee.tally?.retire(thread.pointee.written.load(ordering: .relaxed))
      thread.pointee.written.store(0, ordering: .relaxed)
      thread.pointee.file.store(file, ordering: .relaxed)
      thread.pointee.tally = tally
    }
    thread.pointee.chunk = (0, 0, 0)
    thread.pointee.burst = (0, 0)
  }

  /// Counts the records of a thread that ends, and removes it from the list.
  static func end(_ thread: Pointer) {
    turn(thread, to: nil, of: 0)
    threads.current.addresses.withLock { $0.removeAll { $0 == UInt(bitPattern: thread) } }
  }
}
