public import Dispatch

/// Where work runs, as a closure that is given the work.
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

  /// Runs work at once, on the calling thread.
  public static var immediate: ExecutionContext {
    ExecutionContext { $0() }
  }

  /// Runs work at once where the caller is on the main queue or thread, else later on the main queue.
  public static var immediateOnMain: ExecutionContext {
    ExecutionContext { block in
      if MainQueue.isCurrent {
        block()
      } else {
        DispatchQueue.main.schedule(block)
      }
    }
  }

  /// Runs work on the main queue, never before the caller goes on.
  public static var main: ExecutionContext {
    DispatchQueue.main.context
  }

  /// Runs work on a global concurrent queue.
  public static func global(qos: DispatchQoS.QoSClass = .default) -> ExecutionContext {
    DispatchQueue.global(qos: qos).context
  }

  /// Runs work at once; work given from inside other work runs when that has finished, so that nothing nests and
  /// nothing is dropped.
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
        while true {
          current()
          let following = state.withLock { state in
            let following = state.waiting.popFirst()
            if following == nil { state.isRunning = false }
            return following
          }
          guard let following else { return }
          current = following
        }
      }
    }
    let line = Line()
    return ExecutionContext { line.run($0) }
  }
}

/// Knows whether the caller is on the main queue or thread. Each alone would not tell: with `dispatchMain()` on Linux the
/// main queue is served by another thread, and work of another queue's `sync` may run on the main thread.
private enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static var isCurrent: Bool {
    DispatchQueue.getSpecific(key: key) == true || MainThread.isCurrent
  }
}
