import CRuntime.OwnProcess
import CodeLocations
import SystemLibrary

/// The threads of libdispatch that only wait for work: those of its pools, and the main thread
/// after `dispatchMain`. Their stacks have remains of earlier work, and nothing that is in use.
package struct IdleThreads {
  /// The parts of their stacks without anything in use, by the threads.
  package let ranges: [Int32: Range<UInt>]
  /// The ends of these parts, by the stack pointers of the threads.
  package let ends: [UInt: UInt]

  /// Finds the threads of a process.
  ///
  /// - Parameters:
  ///   - map: The parts of the memory, with the stacks marked.
  package init(_ memory: ProcessMemory, _ map: MemoryMap, dispatch: DispatchCode) {
    var ranges: [Int32: Range<UInt>] = [:]
    var ends: [UInt: UInt] = [:]
    #if os(Linux)
      for thread in dispatch.isEmpty ? [] : memory.process.threads {
        guard let call = ThreadCall(of: thread, in: memory.process),
          let argument = call.arguments.first, let stack = map.part(of: call.stackPointer),
          stack.use == .stack
        else { continue }
        let isOfDispatch = dispatch.isVariable(argument, map)
        let frames = StackFrames(memory: memory, map: map, dispatch: dispatch, stack: stack)
        var range: Range<UInt>?
        if call.number == Int(trace_call_of_wait()), isOfDispatch {
          range = frames.range(from: call.stackPointer)
        } else if call.number == Int(trace_call_of_events()) {
          range = frames.range(from: call.stackPointer, isCaller: true)
        } else if call.number == Int(trace_call_of_pause()), isOfDispatch,
          thread == memory.process.number
        {
          // The functions that called `dispatchMain` are gone.
          range = stack.start..<stack.end
        }
        guard let range else { continue }
        ranges[thread] = range
        // The last word is never in use, and a stack pointer must be on the stack.
        ends[call.stackPointer] = min(range.upperBound, stack.end &- 8)
      }
    #endif
    self.ranges = ranges
    self.ends = ends
  }
}

#if os(Linux)
  /// The stack of a thread that may wait in libdispatch.
  private struct StackFrames {
    let memory: ProcessMemory
    let map: MemoryMap
    let dispatch: DispatchCode
    let stack: MemoryMap.Part

    /// The maximum size of the frames of a thread that waits for work.
    private static let maxFramesSize: UInt = 2048
    /// The maximum distance from the stack pointer of a system call to the address of its caller.
    private static let maxCallSize: UInt = 128

    /// Returns the frames of a thread of libdispatch: up to the function of the C library that
    /// called libdispatch. The thread's own variables come after them.
    ///
    /// - Parameter isCaller: Whether libdispatch must be the caller of the system call. Other
    ///   libraries wait for events, too.
    func range(from start: UInt, isCaller: Bool = false) -> Range<UInt>? {
      var isInDispatch = false
      let end = min(stack.end, start &+ Self.maxFramesSize)
      for address in stride(from: start, to: end, by: 8) {
        guard let word = memory.word(address), let part = map.part(of: word), part.use == .code
        else { continue }
        let owner = dispatch.owner(ofCodeAt: word, part)
        if owner == .dispatch {
          guard isInDispatch || !isCaller || address &- start < Self.maxCallSize else {
            return nil
          }
          isInDispatch = true
        } else if isInDispatch, owner == .cLibrary {
          // The stack begins below its pointer, with what a function may use there. The kernel can
          // list the stacks of several threads as one part.
          return max(stack.start, start &- MemoryMap.redZone)..<address
        } else if !isInDispatch, isCaller || owner != .cLibrary {
          // Something else waits, which libdispatch called.
          return nil
        }
      }
      return nil
    }
  }
#endif
