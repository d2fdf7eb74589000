import CRuntime.OwnProcess
import ProcessMemory
import SystemLibrary

/// The threads of libdispatch that only wait for work: those of its pools, and the main thread
/// after `dispatchMain`. Their stacks have remains of earlier work, and nothing that is in use.
struct IdleThreads {
  /// The parts of their stacks without anything in use, by the threads.
  let ranges: [Int32: Range<UInt>]

  /// Finds the threads of this process.
  init(_ heap: Heap) {
    var ranges: [Int32: Range<UInt>] = [:]
    #if os(Linux)
      let (start, size) = heap.dispatchImage
      // In a program with its own copy of libdispatch, the variables can't be told from others.
      let program = ProcFile.target(ofLink: "/proc/self/exe")
      let isShared = size > 0 && heap.map.part(of: start)?.path != program
      for thread in isShared ? ProcFile.numbers(in: "/proc/self/task") : [] {
        guard let call = ThreadCall(of: thread), let argument = call.arguments.first,
          let stack = heap.map.part(of: call.stackPointer), stack.use == .stack
        else { continue }
        let isOfDispatch =
          argument &- start < size &+ Self.maxZeroedSize
          && heap.map.part(of: argument).map { $0.use != .heap } == true
        if call.number == Int(trace_call_of_wait()), isOfDispatch {
          ranges[thread] = Self.frames(from: call.stackPointer, in: stack, heap)
        } else if call.number == Int(trace_call_of_events()) {
          ranges[thread] = Self.frames(from: call.stackPointer, in: stack, heap, isCaller: true)
        } else if call.number == Int(trace_call_of_pause()), thread == getpid(), isOfDispatch {
          // The functions that called `dispatchMain` are gone.
          ranges[thread] = stack.start..<stack.end
        }
      }
    #endif
    self.ranges = ranges
  }

  /// The maximum size of the zero-initialized variables. They come after the variables in the file.
  private static let maxZeroedSize: UInt = 1 << 16
  /// The maximum size of the frames of a thread that waits for work.
  private static let maxFramesSize: UInt = 2048

  /// The maximum distance from the stack pointer of a system call to the address of its caller.
  private static let maxCallSize: UInt = 128

  /// Returns the frames of a thread of libdispatch: up to the function of the C library that called
  /// libdispatch. The thread's own variables come after them.
  ///
  /// - Parameter isCaller: Whether libdispatch must be the caller of the system call. Other
  ///   libraries wait for events, too.
  private static func frames(
    from start: UInt, in stack: MemoryMap.Part, _ heap: Heap, isCaller: Bool = false
  ) -> Range<UInt>? {
    var isInDispatch = false
    let end = min(stack.end, start &+ maxFramesSize)
    for address in stride(from: start, to: end, by: 8) {
      guard let word = heap.memory.word(address), heap.isCode(word) else { continue }
      if word &- heap.dispatchImage.start < heap.dispatchImage.size {
        guard isInDispatch || !isCaller || address &- start < maxCallSize else { return nil }
        isInDispatch = true
      } else if isInDispatch, isCLibrary(heap.map.part(of: word)?.path) {
        // The stack begins below its pointer, with what a function may use there. The kernel can
        // list the stacks of several threads as one part.
        return max(stack.start, start &- MemoryMap.redZone)..<address
      } else if isCaller, !isInDispatch {
        return nil
      }
    }
    return nil
  }

  private static func isCLibrary(_ path: String?) -> Bool {
    path?.split(separator: "/").last?.hasPrefix("libc.so") == true
  }
}
