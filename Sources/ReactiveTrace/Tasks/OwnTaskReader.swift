import CRuntime.OwnProcess
import SwiftRuntime
import TraceFormat

/// Reads what the runtime describes about a task that can't end in the meantime.
enum OwnTaskReader {
  /// A Boolean value that indicates whether the layouts of the runtime are known.
  static let isLayoutKnown: Bool = {
    let runtime = trace_task_runtime()
    return runtime.metadata != 0
      && TaskLayout.isKnown(version: runtime.layout_version, size: Int(runtime.size))
  }()

  /// Returns the number of the task at an address. Returns nil if the layouts aren't known.
  ///
  /// - Parameter address: The address of a task that is alive.
  static func number(at address: UInt) -> UInt64? {
    guard isLayoutKnown, let task = UnsafeRawPointer(bitPattern: address) else { return nil }
    let low = task.load(fromByteOffset: Int(TaskLayout.lowNumber), as: UInt32.self)
    let high = task.load(fromByteOffset: Int(TaskLayout.highNumber), as: UInt32.self)
    return UInt64(high) << 32 | UInt64(low)
  }
}

/// The functions for a task that belongs to the calling thread, because it isn't enqueued yet, is
/// about to run, or has just stopped. The layouts must be known.
extension OwnTaskReader {
  /// The maximum number of frames and of records that are read.
  private static let maxCount = 64

  private static func word(_ address: UInt) -> UInt {
    UnsafePointer<UInt>(bitPattern: address)?.pointee ?? 0
  }

  /// Returns the name of an own task, or nil if it doesn't have one. A very long name is cut.
  static func name(of task: UInt) -> String? {
    var record = word(task &+ TaskLayout.statusRecords)
    for _ in 0..<maxCount where record != 0 {
      let kind = TaskRecordKind(rawValue: UInt8(truncatingIfNeeded: word(record)))
      if kind == .name {
        return UnsafePointer<UInt8>(bitPattern: word(record &+ TaskLayout.recordContent)).map {
          let bytes = UnsafeBufferPointer(start: $0, count: TaskName.maxLength)
          let length = bytes.firstIndex(of: 0)
          return length == nil ? TaskName.cut(Array(bytes)) : String(cString: $0)
        }
      }
      record = word(record &+ TaskLayout.nextRecord)
    }
    return nil
  }

  /// A Boolean value that indicates whether a task is canceled.
  static func isCancelled(_ task: UInt) -> Bool {
    TaskStatus(word(task &+ TaskLayout.status)).isCancelled
  }

  /// Returns the task that an own task is a child of, or nil if it isn't a child.
  static func parent(of task: UInt) -> UInt? {
    let flags = UInt32(truncatingIfNeeded: word(task &+ TaskLayout.jobFlags))
    guard TaskLayout.isChild(jobFlags: flags) else { return nil }
    let parent = word(task &+ TaskLayout.parent)
    return parent == 0 ? nil : parent
  }

  /// Returns what an own task waits for and its address, or nil if that isn't known.
  static func wait(of task: UInt) -> (kind: UnfinishedTask.Wait, address: UInt)? {
    let record = word(task &+ TaskLayout.dependency)
    guard record != 0 else { return nil }
    let content = word(record &+ TaskLayout.recordContent)
    let kind = UInt8(truncatingIfNeeded: word(record &+ TaskLayout.dependencyKind))
    switch TaskDependencyKind(rawValue: kind) {
    case .task: return (.task, content)
    case .continuation: return (.continuation, content)
    case .group: return (.group, content)
    case .executor: return (.executor, content)
    case nil: return nil
    }
  }

  /// Calls `body` with the addresses where an own task and its callers resume, innermost first,
  /// except for the runtime's function that completes the task.
  static func visitCalls(of task: UInt, limit: Int, _ body: (UInt) -> Void) {
    body(word(task &+ TaskLayout.resumeFunction))
    var context = word(task &+ TaskLayout.resumeContext)
    for _ in 1..<max(limit, 1) where context != 0 {
      let caller = word(context)
      if caller == 0 { return }
      body(word(context &+ TaskLayout.callerFunction))
      context = caller
    }
  }
}
