import CRuntime.Heap
import ProcessMemory
import SwiftRuntime

/// The tasks that wait.
///
/// A task has a reference to itself until it ends, and a continuation is the address of its task
/// (`TaskReach`). So a task that waits is alive if something that is alive has an address in its
/// memory. What its frames refer to has references that no object explains.
extension HeapBlocks {
  /// The maximum number of slabs of one task.
  private static let maxSlabs = 1 << 12

  /// Subtracts the references of tasks that wait to themselves, and those of their frames.
  ///
  /// Which words of a frame are references isn't known. An object isn't alive by its count if the
  /// frames have its address at least as often as it has unexplained references. Then any other
  /// word that leads to it makes it alive, also an old one on a stack.
  func explainWaitingTasks() throws(Failure) {
    var references: [Int: Int32] = [:]
    for index in 0..<heap.task_count {
      guard isInTime() else { throw .limit }
      let task = Int(heap.tasks[index])
      let address = range(of: task).lowerBound
      guard isWaiting(taskAt: address) else {
        hold(task)
        continue
      }
      heap.unexplained[task] -= 1
      for range in frames(ofTask: task) {
        forEachObject(in: range, except: task) { references[$0, default: 0] += 1 }
      }
    }
    for (block, count) in references where (1...count).contains(heap.unexplained[block]) {
      heap.unexplained[block] = 0
      heap.of_tasks[block / 64] |= 1 << UInt64(block % 64)
    }
  }

  /// Marks the tasks that wait, and the objects that only their frames explain, to which stacks,
  /// registers and memory of unknown use lead.
  func markWaitingTasks(_ registers: [UInt]) throws(Failure) {
    guard heap.task_count > 0 else { return }
    registers.withUnsafeBufferPointer { heap_mark_tasks(&heap, $0.baseAddress, $0.count) }
    for range in others where use(of: range) != .variables {
      guard isInTime() else { throw .limit }
      forEachCopy(of: range) { heap_mark_tasks(&heap, $0, $1) }
    }
    // Code may be adding a continuation to a collection whose count doesn't include it yet.
    for index in 0..<heap.collection_count {
      forEachCopy(of: range(of: Int(heap.collections[index]))) { heap_mark_tasks(&heap, $0, $1) }
    }
    heap_mark_all(&heap)
  }

  private func isWaiting(taskAt address: UInt) -> Bool {
    guard let flags = memory.half(address &+ TaskLayout.jobFlags),
      TaskLayout.isTask(jobFlags: flags),
      let status = memory.word(address &+ TaskLayout.status).map({ TaskStatus($0) }),
      !status.isRunning, !status.isEnqueued, !status.isComplete
    else { return false }
    switch memory.wait(ofTaskAt: address) {
    case .continuation, .task, .group: return true
    case .executor, nil: return false
    }
  }

  /// Returns the parts of the memory of a task that are in use: the task, with its first slab at
  /// the end of its block, and other slabs.
  private func frames(ofTask task: Int) -> [Range<UInt>] {
    let block = range(of: task)
    let start = block.lowerBound
    var found: [Range<UInt>] = []
    var own = start &+ UInt(ObjectLayout.header)..<block.upperBound
    var open = stride(from: start, to: start &+ UInt(TaskLayout.size), by: 8)
      .compactMap { memory.word($0) }
    var seen: Set<UInt> = []
    while let address = open.popLast(), found.count < Self.maxSlabs {
      guard let used = usedPart(ofSlabAt: address), seen.insert(address).inserted else { continue }
      if block.contains(address) {
        own = own.lowerBound..<used.upperBound
      } else {
        found.append(used)
      }
      memory.word(address &+ SlabLayout.next).map { open.append($0) }
    }
    return found + [own]
  }

  private func usedPart(ofSlabAt address: UInt) -> Range<UInt>? {
    guard address & 7 == 0, address != 0, memory.word(address) == heap.slab_mark,
      let block = block(around: address),
      let capacity = memory.half(address &+ SlabLayout.capacity),
      let used = memory.half(address &+ SlabLayout.used), used <= capacity,
      case let start = address &+ SlabLayout.header,
      start &+ UInt(capacity) <= range(of: block).upperBound
    else { return nil }
    return start..<start &+ UInt(used)
  }
}
