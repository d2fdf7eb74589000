/// The layout of a Task in Swift 6.2 and 6.3, which is version 1 of the runtime's private layouts.
/// Offsets and sizes are in bytes.
@usableFromInline
package enum TaskLayout {
  /// The version of the layouts (`_swift_concurrency_debug_internal_layout_version`).
  @inlinable package static var version: UInt32 { 1 }
  /// The size of a Task without its result and its closure
  /// (`_swift_concurrency_debug_asyncTaskSize`).
  #if arch(x86_64)
    @inlinable package static var size: Int { 208 }
  #else
    @inlinable package static var size: Int { 224 }
  #endif

  /// Returns whether the layouts of a runtime are these.
  @inlinable
  package static func isKnown(version: UInt32, size: Int) -> Bool {
    version == self.version && size == self.size
  }

  // AsyncTask and Job in swift/ABI/Task.h
  /// The flags of the job, in four bytes. The lowest byte is the kind of the job.
  @inlinable package static var jobFlags: UInt { 32 }
  /// The lower half of the number of the Task, in four bytes.
  @inlinable package static var lowNumber: UInt { 36 }
  @inlinable package static var resumeFunction: UInt { 56 }
  @inlinable package static var resumeContext: UInt { 64 }
  // ActiveTaskStatus in the runtime's TaskPrivate.h
  @inlinable package static var status: UInt { 96 }
  @inlinable package static var statusRecords: UInt { 104 }
  /// The first of the task-local values (`TaskLocal::Storage` in the runtime's `TaskPrivate.h`), or
  /// 0.
  @inlinable package static var locals: UInt { 136 }
  /// The upper half of the number of the Task, in four bytes.
  @inlinable package static var highNumber: UInt { 144 }
  /// The record of what the Task waits for, or 0.
  @inlinable package static var dependency: UInt { 160 }
  /// The maximum number of a Task that is believed. No process makes that many.
  @inlinable package static var maxNumber: UInt64 { 1 << 48 }
  /// The maximum priority (`JobPriority::UserInteractive` in `swift/ABI/MetadataValues.h`).
  @inlinable package static var maxPriority: UInt8 { 0x21 }
  /// The bit in the status of a Task that is set while the Task waits for something.
  @inlinable package static var hasDependency: UInt { 0x4000 }
  /// The minimum size of a Task: its own fields, its result and its closure.
  @inlinable package static var minSize: Int { 256 }

  /// Returns whether the flags are those of a Task (`JobKind` in `swift/ABI/MetadataValues.h`).
  @inlinable
  package static func isTask(jobFlags: UInt32) -> Bool { jobFlags & 0xFF == 0 }

  /// Returns whether the flags are those of a child: one of `async let` or of a group
  /// (`Task_IsChildTask` of `JobFlags` in `swift/ABI/MetadataValues.h`).
  @inlinable
  package static func isChild(jobFlags: UInt32) -> Bool { jobFlags & 1 << 24 != 0 }

  /// The parent of a child, right after the Task (`ChildFragment` in `swift/ABI/Task.h`).
  @inlinable package static var parent: UInt { UInt(size) }

  // AsyncContext in swift/ABI/Task.h
  /// The function where the caller of an asynchronous frame resumes. The caller's frame is at the
  /// start.
  @inlinable package static var callerFunction: UInt { 8 }

  // TaskStatusRecord and its subclasses in swift/ABI/TaskStatus.h
  /// The next record. The flags of the record are at the start.
  @inlinable package static var nextRecord: UInt { 8 }
  /// The content of a record: what the Task waits for, the first child, the group, or the name.
  @inlinable package static var recordContent: UInt { 16 }
  @inlinable package static var dependencyKind: UInt { 32 }

  /// Returns whether the flags are those of a dependency record (`TaskStatusRecordKind` in
  /// `swift/ABI/MetadataValues.h`).
  @inlinable
  package static func isDependency(recordFlags: UInt) -> Bool { recordFlags & 0xFF == 0 }
}

/// The status of a Task (`ActiveTaskStatus` in the runtime's `TaskPrivate.h`).
@frozen @usableFromInline
package struct TaskStatus: Equatable, Sendable {
  @usableFromInline let word: UInt

  @inlinable
  package init(_ word: UInt) { self.word = word & 0xFFFF_FFFF }

  /// A Boolean value that is true for the memory of a Task that was deallocated or isn't complete
  /// yet.
  @inlinable package var isEmpty: Bool { word == 0 }
  @inlinable package var priority: UInt8 { UInt8(word & 0xFF) }
  @inlinable package var isCancelled: Bool { word & 0x100 != 0 }
  @inlinable package var isRunning: Bool { word & 0x800 != 0 }
  @inlinable package var isEnqueued: Bool { word & 0x1000 != 0 }
  @inlinable package var isComplete: Bool { word & 0x2000 != 0 }
  @inlinable package var hasDependency: Bool { word & TaskLayout.hasDependency != 0 }

  /// A Boolean value that indicates whether the status has what that of nearly every Task has: the
  /// Task runs, could run or waits for something known, with one of the usual priorities. Memory
  /// that changes all the time and only looks like a Task rarely has that.
  package var isPlausible: Bool {
    (isRunning || isEnqueued || hasDependency) && Self.priorities.contains(priority)
  }

  /// The usual priorities: background, utility, medium, high and user interactive (`JobPriority` in
  /// `swift/ABI/MetadataValues.h`).
  private static let priorities: [UInt8] = [0x09, 0x11, 0x15, 0x19, 0x21]
}

/// The kinds of records in the status of a Task (`TaskStatusRecordKind` in
/// `swift/ABI/MetadataValues.h`).
@frozen @usableFromInline
package enum TaskRecordKind: UInt8 {
  case dependency = 0
  /// A child that `async let` made.
  case child = 1
  case group = 2
  case cancellationHandler = 3
  case name = 6
}

/// The kinds of things that a Task waits for (`TaskDependencyStatusRecord` in
/// `swift/ABI/TaskStatus.h`).
@frozen @usableFromInline
package enum TaskDependencyKind: UInt8 {
  case task = 1
  case continuation = 2
  case group = 3
  case executor = 4
}

/// The layout of a task-local value (`TaskLocal::ValueItem` in `swift/ABI/TaskLocal.h`). Offsets
/// are in bytes. The address of the next one is at the start.
@usableFromInline
package enum TaskLocalLayout {
  /// The bits of the address of the next item that say what this item is. They are 0 for a value.
  @inlinable package static var kind: UInt { 7 }
  @inlinable package static var value: UInt { 24 }
}

/// The layout of a slab, a part of the memory of a Task for its asynchronous frames (`Slab` in the
/// runtime's `StackAllocator.h`). Offsets and sizes are in bytes. A marker is at the start.
@usableFromInline
package enum SlabLayout {
  /// The address of the next slab, or 0.
  @inlinable package static var next: UInt { 8 }
  /// The number of bytes after the header, in four bytes.
  @inlinable package static var capacity: UInt { 16 }
  /// The number of bytes in use, in four bytes.
  @inlinable package static var used: UInt { 20 }
  @inlinable package static var header: UInt { 32 }
}
