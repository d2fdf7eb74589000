import ProcessMemory
import SwiftRuntime

/// The memory of the code that asks why an object is alive: the stack of its thread, and its task.
///
/// That code usually has the object itself, which isn't an answer.
package struct CallingCode {
  /// The maximum number of slabs of the task.
  private static let maxSlabs = 64

  /// The part of the stack that is in use.
  private let stack: Range<UInt>
  /// The address of the current task, or 0 if there isn't one.
  private let task: UInt
  /// The memory of the task for its asynchronous frames.
  private let slabs: [Range<UInt>]

  /// - Parameters:
  ///   - frame: An address in the innermost frame of the calling thread.
  ///   - task: The address of the current task, or 0 if there isn't one.
  package init(frame: UInt, task: UInt, in heap: Heap) {
    stack = frame..<max(heap.map.part(of: frame)?.end ?? frame, frame)
    self.task = task
    slabs = task == 0 ? [] : Self.slabs(ofTask: task, in: heap)
  }

  /// Returns the slabs of a task. The task has the address of the first one, and each slab has the
  /// address of the next one.
  private static func slabs(ofTask task: UInt, in heap: Heap) -> [Range<UInt>] {
    var slabs: [Range<UInt>] = []
    var open = stride(from: task, to: task &+ UInt(TaskLayout.size), by: 8)
      .compactMap { heap.memory.word($0) }
    while let address = open.popLast(), slabs.count < maxSlabs {
      guard let slab = heap.slab(at: address), !slabs.contains(slab) else { continue }
      slabs.append(slab)
      heap.memory.word(address &+ SlabLayout.next).map { open.append($0) }
    }
    return slabs
  }

  /// Reports whether an address is on the stack.
  func hasOnStack(_ address: UInt) -> Bool { stack.contains(address) }

  /// Reports whether an object is the task.
  func isTask(_ object: Heap.Object) -> Bool { object.kind == .task && object.address == task }

  /// Reports whether a block of memory belongs to the task.
  func hasInTask(_ block: Range<UInt>) -> Bool {
    slabs.contains { $0.overlaps(block) } || block.contains(task)
  }
}
