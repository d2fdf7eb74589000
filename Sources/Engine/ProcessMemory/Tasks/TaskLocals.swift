import SwiftRuntime

/// A reader of the task-local values of Tasks.
package struct TaskLocals {
  /// The maximum number of values of one Task.
  private static let maxValues = 1024

  private let memory: ProcessMemory

  /// Returns nil if the memory of this process can't be read.
  package init?() {
    guard let memory = ProcessMemory() else { return nil }
    self.memory = memory
  }

  /// Reports whether a Task has an object as one of its task-local values. A Task inherits them
  /// from the code that makes it, unless it is detached. If the Task has ended, the result is
  /// false.
  ///
  /// - Parameter inverted: The address of the object with all bits inverted.
  package func contain(_ inverted: UInt, in task: TaskRecord) -> Bool {
    var item = memory.word(task.address &+ TaskLayout.locals) ?? 0
    for _ in 0..<Self.maxValues where item != 0 {
      guard let next = memory.word(item) else { return false }
      if next & TaskLocalLayout.kind == 0,
        memory.word(item &+ TaskLocalLayout.value) == ~inverted
      {
        return memory.half(task.address &+ TaskLayout.lowNumber)
          == UInt32(truncatingIfNeeded: task.number)
      }
      item = next & ~TaskLocalLayout.kind
    }
    return false
  }
}
