package import SwiftRuntime

/// A Task as the runtime describes it in memory.
package struct TaskRecord: Equatable, Sendable {
  /// What a Task waits for, with the address of that thing.
  package enum Wait: Equatable, Sendable {
    /// The end of another Task.
    case task(UInt)
    /// A continuation, which is in the memory of the Task itself.
    case continuation(UInt)
    /// The next child of a group.
    case group(UInt)
    /// Its turn on an executor.
    case executor(UInt)

    /// Creates the wait of a dependency record, or returns nil for an unknown kind.
    package init?(kind: UInt8, address: UInt) {
      switch TaskDependencyKind(rawValue: kind) {
      case .task: self = .task(address)
      case .continuation: self = .continuation(address)
      case .group: self = .group(address)
      case .executor: self = .executor(address)
      case nil: return nil
      }
    }
  }

  package let address: UInt
  /// The number of the Task in its process. Numbers start at 1 and aren't used again.
  package let number: UInt64
  /// The name that the program gave to the Task, if any.
  package let name: String?
  package let status: TaskStatus
  /// What the Task waits for, or nil if it runs or if that isn't known.
  package let wait: Wait?
  /// A Boolean value that indicates whether the Task has a cancellation handler now.
  package let hasCancellationHandler: Bool
  /// The address of the Task that this one is a child of, through `async let` or a group.
  package let parent: UInt?
  /// The addresses where the Task and its callers resume, innermost first. The addresses of a
  /// running Task are those of its last suspension.
  package let code: [UInt]
  /// The addresses that are missing in `code`, because there are too many.
  package let gap: CallGap?

  package init(
    address: UInt, number: UInt64, name: String?, status: TaskStatus, wait: Wait?, parent: UInt?,
    code: [UInt], gap: CallGap? = nil, hasCancellationHandler: Bool = false
  ) {
    self.address = address
    self.number = number
    self.name = name
    self.status = status
    self.wait = wait
    self.hasCancellationHandler = hasCancellationHandler
    self.parent = parent
    self.code = code
    self.gap = gap
  }

  /// Returns the Task with another name.
  func renamed(_ name: String?) -> TaskRecord {
    TaskRecord(
      address: address, number: number, name: name, status: status, wait: wait, parent: parent,
      code: code, gap: gap, hasCancellationHandler: hasCancellationHandler)
  }

  /// Returns the Task without what may have changed while it was read: its wait and its frames.
  func withoutFrames() -> TaskRecord {
    TaskRecord(
      address: address, number: number, name: name, status: status, wait: nil, parent: parent,
      code: [])
  }
}
