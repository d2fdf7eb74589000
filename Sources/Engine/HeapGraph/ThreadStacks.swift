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
