import Dispatch

/// A runner for a step that may request to be run again, from inside itself or from another thread.
/// It runs the step in a loop, never recursively.
///
/// With it, `retry` over a source that fails synchronously a million times needs one stack frame
/// instead of a million.
@usableFromInline
package final class Trampoline {
  @usableFromInline
  struct State {
    @usableFromInline var isRunning = false
    @usableFromInline var isRequested = false

    @inlinable
    init() {}
  }

  @usableFromInline let state = Locked(State())
  @usableFromInline let longestRun: Int

  /// Creates a trampoline. Only `runLettingGo(_:)` uses `longestRun`.
  @inlinable
  package init(longestRun: Int = 1 << 17) {
    self.longestRun = longestRun
  }

  /// Runs `step` now, or once more after the run in progress.
  @inlinable
  package func run(_ step: () -> Void) {
    guard begin() else { return }
    repeat { step() } while goesOn()
  }

  /// Runs `step` like `run(_:)`, for a step that may request runs forever.
  ///
  /// After `longestRun` runs in a row, the next runs happen on a queue and the call returns.
  /// Otherwise, a subscribing caller would never get the disposable that stops the runs.
  @inlinable
  package func runLettingGo(_ step: @escaping () -> Void) {
    guard begin() else { return }
    var runs = 0
    repeat {
      step()
      runs += 1
      if runs == longestRun { return goOnElsewhere(step) }
    } while goesOn()
  }

  /// Reports whether the caller must run the step. If not, the thread that runs it now runs it once
  /// more.
  @inlinable
  func begin() -> Bool {
    state.withLock { state in
      state.isRequested = state.isRunning
      defer { state.isRunning = true }
      return !state.isRunning
    }
  }

  @inlinable
  func goesOn() -> Bool {
    state.withLock { state in
      state.isRunning = state.isRequested
      state.isRequested = false
      return state.isRunning
    }
  }

  @usableFromInline
  func goOnElsewhere(_ step: @escaping () -> Void) {
    guard goesOn() else { return }
    DispatchQueue(label: "reactive_kit.attempts").schedule(
      Tracing.carrying { [self] in
        repeat { step() } while goesOn()
      })
  }
}
