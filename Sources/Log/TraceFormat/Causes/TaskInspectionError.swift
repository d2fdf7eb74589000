/// Describes why the tasks of this process can't be listed.
public struct TaskInspectionError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The reasons for an error. Later versions can add reasons.
  public enum Reason: Equatable, Sendable {
    /// Tasks can only be listed on Linux.
    case unsupportedPlatform
    /// The memory of this process can't be read, for example because little memory is left.
    case unreadable
    /// There wasn't enough time to look at all memory.
    case timedOut
    /// The layouts of this version of the Swift runtime aren't known. They are private and have a
    /// version, which is nil if the runtime doesn't have one.
    case unknownRuntime(layout: UInt32?)
    /// The inspector started a task as a check, and didn't find it as expected. So no result can be
    /// trusted.
    case unreliable
    /// The program was built without the trait `Causes` of the package.
    case withoutCauses
  }

  public let reason: Reason

  package init(_ reason: Reason) { self.reason = reason }

  public var description: String {
    switch reason {
    case .unsupportedPlatform: "Tasks can only be listed on Linux."
    case .unreadable: "The memory of this process can't be read safely."
    case .timedOut: "There wasn't enough time to find all tasks. Allow more with 'limit'."
    case .unknownRuntime(let layout):
      "This version of Swift isn't known (layout \(layout.map(String.init) ?? "unknown"))."
    case .withoutCauses: "The program was built without the trait Causes of this package."
    case .unreliable: "A test task wasn't found as expected, so tasks can't be listed reliably."
    }
  }
}
