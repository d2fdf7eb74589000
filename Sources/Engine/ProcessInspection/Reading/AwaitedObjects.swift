#if os(Linux)
  import CRuntime.OtherProcess
  import ProcessMemory
  import SwiftRuntime
  import TraceFormat

  /// The objects of libdispatch that blocked threads wait for, and the tasks that have them.
  struct AwaitedObjects {
    /// The addresses in the objects at which threads wait.
    private let places: [(address: UInt, thread: Int32)]

    /// The maximum distance of such an address from the start of its object, in bytes.
    private static let maxObject: UInt = 128
    private static let maxFrames = 64
    /// The maximum size of a frame, and of a closure's captured values, in words.
    private static let maxFrame = 96
    private static let maxClosure = 12

    init(_ stacks: [ThreadStack], _ threads: [InspectedThread]) {
      places = zip(stacks, threads).compactMap { stack, thread in
        guard [.semaphore, .group].contains(thread.activity.kind), let wait = stack.wait,
          wait.kind == inspection_wait_futex, let address = wait.arguments.first
        else { return nil }
        return (address, stack.thread)
      }
    }

    var isEmpty: Bool { places.isEmpty }

    /// Returns the threads that wait for an object to which the frames of a task have a reference,
    /// directly or in the captured values of a closure.
    func threads(servedBy task: TaskRecord, _ memory: ProcessMemory) -> [Int32] {
      guard !task.status.isRunning else { return [] }
      var found: [Int32] = []
      func note(_ word: UInt) {
        guard word & ObjectLayout.alignmentMask == 0, word > MemoryMap.lowestAddress else { return }
        for place in places where word <= place.address && place.address - word < Self.maxObject {
          if !found.contains(place.thread) { found.append(place.thread) }
        }
      }
      for frame in frames(of: task, memory) {
        for index in 0..<Self.maxFrame {
          guard let word = memory.word(frame &+ UInt(index * 8)) else { break }
          note(word)
          guard word & ObjectLayout.alignmentMask == 0, word > MemoryMap.lowestAddress else {
            continue
          }
          for index in 2..<Self.maxClosure {
            guard let captured = memory.word(word &+ UInt(index * 8)) else { break }
            note(captured)
          }
        }
      }
      return found
    }

    /// Returns the addresses of the asynchronous frames of a task, innermost first.
    private func frames(of task: TaskRecord, _ memory: ProcessMemory) -> [UInt] {
      var frames: [UInt] = []
      var next = memory.word(task.address &+ TaskLayout.resumeContext)
      while let frame = next, frame != 0, frames.count < Self.maxFrames {
        frames.append(frame)
        next = memory.word(frame)
      }
      return frames
    }
  }
#endif
