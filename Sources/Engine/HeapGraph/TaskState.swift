import ProcessMemory
import SwiftRuntime

/// The state of a Task: whether it waits for a continuation, and the resume addresses of its
/// frames.
package struct TaskState {
  private static let maxFrames = 64

  /// The addresses where the task and its callers resume, innermost first.
  package let code: [UInt]
  package let waitsForContinuation: Bool

  package init(_ task: Heap.Object, _ heap: Heap) {
    let memory = heap.memory
    var code: [UInt] = []
    if let function = memory.word(task.address &+ TaskLayout.resumeFunction) {
      code.append(function)
    }
    var context = memory.word(task.address &+ TaskLayout.resumeContext)
    while let frame = context, frame != 0, code.count < Self.maxFrames {
      // Each frame has the address of its caller's frame, and the function where the caller
      // resumes.
      guard let function = memory.word(frame &+ TaskLayout.callerFunction), heap.isCode(function)
      else { break }
      code.append(function)
      context = memory.word(frame)
    }
    self.code = code.filter(heap.isCode)
    waitsForContinuation = TaskLayout.waitsForContinuation(task.address, memory)
  }
}
