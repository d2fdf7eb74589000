import CRuntime.OwnProcess
import ProcessMemory
import SystemLibrary

/// The stacks of the threads of this process.
package enum ThreadStacks {
  /// Returns the stack pointers of the calling thread and of all waiting threads, and whether there
  /// are other threads. The system doesn't report the stack pointers of running threads.
  package static func pointers() -> (known: [UInt], areSomeUnknown: Bool) {
    let own = UInt(bitPattern: trace_frame_address())
    var pointers: [UInt] = []
    var count = 0
    #if os(Linux)
      let threads = ProcFile.numbers(in: "/proc/self/task")
      guard !threads.isEmpty else { return ([own], true) }
      count = threads.count
      pointers = threads.prefix(maxThreads).compactMap { ThreadCall(of: $0)?.stackPointer }
    #endif
    return (pointers + [own], pointers.count < count)
  }

  /// The maximum number of threads whose stack pointers are read.
  private static let maxThreads = 4096
}

extension Heap {
  /// The layout of the thread-specific values in glibc's description of a thread. Offsets and sizes
  /// are in bytes.
  private enum ThreadData {
    /// The maximum size of the part with the values.
    static let maxSize: UInt = 4096
    // struct pthread_key_data in nptl/descr.h
    /// The distance from a value back to the number that is odd while its key is in use.
    static let beforeValue: UInt = 8
    static let maxNumber: UInt = 1 << 16
  }

  /// Reports whether a place on a thread's stack stores a thread-specific value
  /// (`pthread_setspecific`).
  ///
  /// The C library stores them in its description of the thread at the end of the memory for the
  /// thread's stack. Each value comes after a number that is odd while its key is in use.
  func isThreadValue(_ place: UInt, in part: MemoryMap.Part) -> Bool {
    guard let number = memory.word(place &- ThreadData.beforeValue), number & 1 == 1,
      number < ThreadData.maxNumber
    else { return false }
    var start = place & ~(ThreadDescription.alignment - 1)
    while start > part.start, start &+ ThreadData.maxSize > place {
      if ThreadDescription.isOne(start, memory) { return true }
      start &-= ThreadDescription.alignment
    }
    return false
  }
}
