/// The layout of a Task in Swift 6.3. Offsets and sizes are in bytes.
@usableFromInline
package enum TaskLayout {
  // AsyncTask and Job in swift/ABI/Task.h
  @inlinable package static var resumeFunction: UInt { 56 }
  @inlinable package static var resumeContext: UInt { 64 }
  // ActiveTaskStatus in the runtime's TaskPrivate.h
  @inlinable package static var status: UInt { 96 }
  @inlinable package static var statusRecords: UInt { 104 }
  /// The bit in the status of a Task that is set while the Task waits for something.
  @inlinable package static var hasDependency: UInt { 0x4000 }
  /// The minimum size of a Task: its own fields, its result and its closure.
  @inlinable package static var minSize: Int { 256 }

  // AsyncContext in swift/ABI/Task.h
  /// The function where the caller of an asynchronous frame resumes. The caller's frame is at the
  /// start.
  @inlinable package static var callerFunction: UInt { 8 }

  // TaskStatusRecord and TaskDependencyStatusRecord in swift/ABI/TaskStatus.h
  /// The next record. The flags of the record are at the start.
  @inlinable package static var nextRecord: UInt { 8 }
  @inlinable package static var dependencyKind: UInt { 32 }

  /// Returns whether the flags are those of a record of a dependency (`TaskStatusRecordKind` in
  /// `swift/ABI/MetadataValues.h`).
  @inlinable
  package static func isDependency(recordFlags: UInt) -> Bool { recordFlags & 0xFF == 0 }

  /// Returns whether a dependency is a continuation (`TaskDependencyStatusRecord`).
  @inlinable
  package static func isContinuation(dependencyKind: UInt) -> Bool { dependencyKind & 0xFF == 2 }
}

/// The layout of a slab, a part of the memory of a Task for its asynchronous frames (`Slab` in the
/// runtime's `StackAllocator.h`). Offsets and sizes are in bytes. A marker is at the start.
@usableFromInline
package enum SlabLayout {
  /// The number of bytes after the header, in four bytes.
  @inlinable package static var capacity: UInt { 16 }
  /// The number of bytes in use, in four bytes.
  @inlinable package static var used: UInt { 20 }
  @inlinable package static var header: UInt { 32 }
}
