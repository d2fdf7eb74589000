/// The state of a Task: whether it waits for a continuation, and the resume addresses of its
/// frames.
///
/// The offsets are those of `AsyncTask` and `Job` (`swift/ABI/Task.h`), of `ActiveTaskStatus`
/// (`TaskPrivate.h`), and of the records of a task's status (`swift/ABI/TaskStatus.h`) in Swift
/// 6.3, in bytes.
package struct TaskState {
  private enum Offset {
    package static let resumeFunction: UInt = 56
    package static let resumeContext: UInt = 64
    package static let status: UInt = 96
    package static let records: UInt = 104
  }

  /// The bit in the status of a task that is set while the task waits for something.
  private static let isWaiting: UInt = 0x4000
  private static let maxFrames = 64
  private static let maxRecords = 16

  /// The addresses where the task and its callers resume, innermost first.
  package let code: [UInt]
  package let waitsForContinuation: Bool

  package init(_ task: Heap.Object, _ heap: Heap) {
    let memory = heap.memory
    var code: [UInt] = []
    if let function = memory.word(task.address &+ Offset.resumeFunction) { code.append(function) }
    var context = memory.word(task.address &+ Offset.resumeContext)
    while let frame = context, frame != 0, code.count < Self.maxFrames {
      // Each frame has the address of its caller's frame, and the function where the caller
      // resumes.
      guard let function = memory.word(frame &+ 8), heap.isCode(function) else { break }
      code.append(function)
      context = memory.word(frame)
    }
    self.code = code.filter(heap.isCode)
    waitsForContinuation = Self.waitsForContinuation(task, memory)
  }

  /// Reports whether the status has a record of a dependency (kind 0) on a continuation (kind 2).
  private static func waitsForContinuation(_ task: Heap.Object, _ memory: ProcessMemory) -> Bool {
    guard let status = memory.word(task.address &+ Offset.status), status & isWaiting != 0 else {
      return false
    }
    var record = memory.word(task.address &+ Offset.records)
    for _ in 0..<maxRecords {
      guard let address = record, address != 0, let kind = memory.word(address) else {
        return false
      }
      if kind & 0xFF == 0 { return memory.word(address &+ 32).map { $0 & 0xFF == 2 } ?? false }
      record = memory.word(address &+ 8)
    }
    return false
  }
}
