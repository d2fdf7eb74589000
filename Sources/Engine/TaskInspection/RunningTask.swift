import ProcessMemory
import SwiftRuntime
import TraceFormat

/// Describes a task that hasn't ended, as it was when ``TaskInspector/tasks(limit:)`` looked.
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

    init(_ frame: InspectedFrame) {
      function = frame.function
      source = frame.source
      isOfSystem = frame.origin == .system
      offset = frame.offset
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

  /// Returns the tasks of an inspection.
  package static func all(_ tasks: [InspectedTask]) -> [RunningTask] {
    let numbers = Dictionary(
      tasks.map { ($0.record.address, $0.record.number) },
      uniquingKeysWith: { first, _ in first })
    var children: [UInt: [UInt64]] = [:]
    for task in tasks {
      if let parent = task.record.parent {
        children[parent, default: []].append(task.record.number)
      }
    }
    // Many tasks have the same functions.
    var known: [[UInt]: [Frame]] = [:]
    return tasks.map { task in
      let record = task.record
      let frames = known[record.code] ?? task.frames.map { Frame($0) }
      known[record.code] = frames
      return RunningTask(
        id: record.number, name: record.name,
        priority: TaskPriority(rawValue: record.status.priority),
        isCancelled: record.status.isCancelled, state: state(task, numbers),
        parent: record.parent.flatMap { numbers[$0] }, children: children[record.address] ?? [],
        callStack: frames)
    }
  }

  private static func state(_ task: InspectedTask, _ numbers: [UInt: UInt64]) -> State {
    switch task.state {
    case .running: return .running
    case .suspended: return .suspended
    case .enqueued:
      if case .executor = task.record.wait { return .waiting(.executor(task.executor)) }
      return .enqueued
    case .waiting:
      switch task.record.wait {
      case .task(let address): return .waiting(.task(numbers[address]))
      case .group: return .waiting(.group)
      case .continuation: return .waiting(.continuation)
      case .executor, nil: return .suspended
      }
    }
  }
}
