import CRuntime.OwnProcess
import Synchronization
import SystemLibrary

/// The threads that write records to one file. Each thread counts its own records.
struct FileWriters: Sendable {
  /// A counter for the records of threads that have ended.
  final class Tally: Sendable {
    private let count = Atomic<Int>(0)

    func retire(_ records: Int) { count.wrappingAdd(records, ordering: .relaxed) }

    var retired: Int { count.load(ordering: .relaxed) }
  }

  let tally = Tally()
  /// A number that identifies the file among the files of the process.
  let identity: UInt

  init() { identity = UInt(bitPattern: ObjectIdentifier(tally)) }

  /// Makes a thread count its records for this file.
  func adopt(_ thread: WritingThread.Pointer) {
    WritingThread.turn(thread, to: tally, of: identity)
  }

  /// Returns the number of records of all threads, including threads that have ended. Returns nil
  /// if the list of threads is locked until `deadline`.
  func written(by deadline: Int) -> Int? {
    var count = 0
    let identity = identity
    let isKnown = WritingThread.forEach(until: deadline) { thread in
      if thread.pointee.file.load(ordering: .relaxed) == identity {
        count += thread.pointee.written.load(ordering: .relaxed)
      }
    } finally: {
      // The list is still locked, so a thread can't end or switch to another file now and be
      // counted twice.
      count += tally.retired
    }
    return isKnown ? count : nil
  }

  /// Waits until no other thread is filling space. Returns false if a thread is still filling space
  /// at `deadline`.
  func waitForAll(by deadline: Int) -> Bool {
    while isAnyFilling(by: deadline) {
      if LogClock.monotonic() > deadline { return false }
      sched_yield()
    }
    return true
  }

  /// Returns whether another thread is filling space.
  private func isAnyFilling(by deadline: Int) -> Bool {
    var isAny = false
    let identity = identity
    let own = WritingThread.known
    let isKnown = WritingThread.forEach(until: deadline) { thread in
      if thread.pointee.filling.load(ordering: .acquiring) == identity,
        thread != own.map({ UnsafePointer($0) })
      {
        isAny = true
      }
    }
    return isAny || !isKnown
  }

  /// A Boolean value that indicates whether a signal handler has interrupted this thread while it
  /// was filling space.
  var isFillingHere: Bool {
    WritingThread.known?.pointee.filling.load(ordering: .relaxed) == identity
  }
}
