#if os(Linux)
  package import ProcessMemory
  import SystemLibrary
  import SwiftRuntime
  import CRuntime.OwnProcess

  /// A task that is started to check that tasks are found as they are.
  ///
  /// The layouts of the runtime are private. Their version and sizes are compared first, and then
  /// the description of this task must be right.
  package final class Canary: Sendable {
    private static let hasVerified = BlockingGuarded(false)

    /// Returns whether a name is that of a canary.
    package static func isName(_ name: String?) -> Bool { name.map(TaskName.isOfCanary) == true }

    /// A Boolean value that indicates whether a canary was found in this process.
    package static var verified: Bool { hasVerified.withLock { $0 } }

    private enum State {
      case starting
      case waiting(UnsafeContinuation<Void, Never>)
      case released
    }

    package let name: String
    private let state = BlockingGuarded(State.starting)

    /// Starts the task, which waits until it is released.
    package init() {
      name = TaskName.prefixOfCanaries + String(UInt64.random(in: 0 ... .max), radix: 36)
      let state = state
      // The recorder doesn't record this task.
      trace_enter()
      defer { trace_leave() }
      Task.detached(name: name, priority: .background) {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
          let isReleased = state.withLock { state -> Bool in
            if case .released = state { return true }
            state = .waiting(continuation)
            return false
          }
          if isReleased { continuation.resume() }
        }
      }
    }

    package func release() {
      let continuation = state.withLock { state -> UnsafeContinuation<Void, Never>? in
        defer { state = .released }
        if case .waiting(let continuation) = state { return continuation }
        return nil
      }
      continuation?.resume()
    }

    /// Throws an error unless the task is in a list exactly once, with its state.
    package func verify(_ tasks: [TaskRecord]) throws(TaskInspectionError) {
      let found = tasks.filter { $0.name == name }
      guard found.count == 1, let task = found.first, !task.status.isCancelled,
        !task.status.isComplete, task.parent == nil
      else { throw TaskInspectionError(.unreliable) }
      Self.hasVerified.withLock { $0 = true }
    }
  }
#endif
