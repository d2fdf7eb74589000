/// Describes a task that hasn't ended, as it was when the tasks were listed.
public struct RunningTask: Sendable, Identifiable, CustomStringConvertible {
  /// The states of a task.
  public enum State: Equatable, Sendable {
    /// A thread runs the task.
    case running
    /// The task could run, but waits for a thread.
    case enqueued
    /// The task waits for something else.
    case waiting(Wait)
    /// The task doesn't run, and what it waits for isn't known.
    case suspended
  }

  /// The things that a task waits for.
  public enum Wait: Equatable, Sendable {
    /// The end of the task with a number. The number is nil if that task wasn't found.
    case task(UInt64?)
    /// A child of its task group.
    case group
    /// A continuation, for example of `withCheckedContinuation`, a stream or a sleep.
    case continuation
    /// Its turn on an actor or another executor. This is the name of its class, if it is known.
    case executor(String?)
  }

  /// Describes an asynchronous function in the call stack of a task.
  public struct Frame: Equatable, Sendable, CustomStringConvertible {
    /// The name of the function as in the source, or nil if it isn't known.
    public let function: String?
    /// The file and line of the `await`, such as `Shop/Store.swift:42`, or nil without debug
    /// information.
    public let source: String?
    /// Whether the function belongs to the system, the toolchain or generated code.
    public let isOfSystem: Bool
    private let offset: String

    package init(function: String?, source: String?, isOfSystem: Bool, offset: String) {
      self.function = function
      self.source = source
      self.isOfSystem = isOfSystem
      self.offset = offset
    }

    /// The function with its file and line, or its offset in the program or library.
    public var description: String {
      let name = function ?? offset
      return source.map { "\(name) (\($0))" } ?? name
    }
  }

  /// The number of the task. The runtime numbers tasks from 1 in the order of their creation.
  public let id: UInt64
  /// The name that the program gave to the task.
  public let name: String?
  public let priority: TaskPriority
  public let isCancelled: Bool
  public let state: State
  /// The number of the task that this one is a child of, through `async let` or a task group.
  public let parent: UInt64?
  /// The numbers of the children that haven't ended.
  public let children: [UInt64]
  /// The asynchronous functions that wait for each other, innermost first. For a running task,
  /// they are those of its last suspension.
  public let callStack: [Frame]

  package init(
    id: UInt64, name: String?, priority: TaskPriority, isCancelled: Bool, state: State,
    parent: UInt64?, children: [UInt64], callStack: [Frame]
  ) {
    self.id = id
    self.name = name
    self.priority = priority
    self.isCancelled = isCancelled
    self.state = state
    self.parent = parent
    self.children = children
    self.callStack = callStack
  }

  /// The task with its state, and its functions outside the system, on several lines.
  public var description: String {
    let title = "task #\(id)" + (name.map { " '\($0)'" } ?? "")
    let frames = callStack.filter { !$0.isOfSystem }.map { "\n    \($0)" }.joined()
    return "\(title) \(isCancelled ? "canceled, " : "")\(words)\(frames)"
  }

  private var words: String {
    switch state {
    case .running: "runs"
    case .enqueued: "waits for a thread"
    case .suspended: "is suspended"
    case .waiting(.task(let number)): "waits for " + (number.map { "task #\($0)" } ?? "a task")
    case .waiting(.group): "waits for a child of its group"
    case .waiting(.continuation): "waits for a continuation"
    case .waiting(.executor(let type)): "waits for its turn on \(type ?? "an executor")"
    }
  }
}
