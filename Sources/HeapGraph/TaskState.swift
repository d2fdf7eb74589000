import ProcessReading
import SwiftRuntime

/// The state of a Task: whether it waits for a continuation, and the resume addresses of its
/// frames.
package struct TaskState {
  private static let maxFrames = 64
  private static let maxRecords = 16

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
    waitsForContinuation = Self.waitsForContinuation(task, memory)
  }

  /// Reports whether the status has a record of a dependency on a continuation.
  private static func waitsForContinuation(_ task: Heap.Object, _ memory: ProcessMemory) -> Bool {
    guard let status = memory.word(task.address &+ TaskLayout.status),
      status & TaskLayout.hasDependency != 0
    else {
      return false
    }
    var record = memory.word(task.address &+ TaskLayout.statusRecords)
    for _ in 0..<maxRecords {
      guard let address = record, address != 0, let flags = memory.word(address) else {
        return false
      }
      if TaskLayout.isDependency(recordFlags: flags) {
        return memory.word(address &+ TaskLayout.dependencyKind)
          .map(TaskLayout.isContinuation(dependencyKind:)) ?? false
      }
      record = memory.word(address &+ TaskLayout.nextRecord)
    }
    return false
  }
}
