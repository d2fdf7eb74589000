public import Dispatch

/// A context in which work runs, defined by a closure that receives the work.
public struct ExecutionContext: Scheduler {
  public let context: (@escaping () -> Void) -> Void

  public init(_ context: @escaping (@escaping () -> Void) -> Void) {
    self.context = context
  }

  public func execute(_ block: @escaping () -> Void) {
    context(block)
  }

  public func schedule(_ action: @escaping () -> Void) {
    context(action)
  }

  /// A context that runs work immediately on the calling thread.
  public static var immediate: ExecutionContext {
    ExecutionContext { $0() }
  }

  /// A context that runs work immediately if the caller is on the main queue or the main thread.
  /// Otherwise, the work runs later on the main queue.
  public static var immediateOnMain: ExecutionContext {
    ExecutionContext { block in
      if MainQueue.isCurrent {
        block()
      } else {
        DispatchQueue.main.schedule(block)
      }
    }
  }

  /// A context that runs work on the main queue, always asynchronously.
  public static var main: ExecutionContext {
    DispatchQueue.main.context
  }

  /// Returns a context that runs work on a global concurrent queue.
  public static func global(qos: DispatchQoS.QoSClass = .default) -> ExecutionContext {
    DispatchQueue.global(qos: qos).context
  }

  /// Returns a context that runs work immediately. Work that is submitted from inside other work
  /// runs after that work finishes, so nothing nests and nothing is dropped.
  public static func nonRecursive() -> ExecutionContext {
    struct State {
      var isRunning = false
      var waiting = FIFO<() -> Void>()
    }
    final class Line {
      let state = Locked(State())

      func run(_ block: @escaping () -> Void) {
        let isFirst = state.withLock { state in
          defer { state.isRunning = true }
          if state.isRunning { state.waiting.append(block) }
          return !state.isRunning
        }
        guard isFirst else { return }
        var current = block
        var drain = Drain()
        defer { drain.end() }
        while true {
          current()
          let following = state.withLock { state in
            let following = state.waiting.popFirst()
            if following == nil { state.isRunning = false }
            return following
          }
          guard let following else { return }
          drain.begin()
          current = following
        }
      }
    }
    let line = Line()
    return ExecutionContext { line.run($0) }
  }
}
