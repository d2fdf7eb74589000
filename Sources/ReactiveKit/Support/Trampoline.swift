import Dispatch

/// Runs a step that may ask, from inside itself or from another thread, to be run again: in a loop, never recursively.
///
/// `retry` over a source that fails synchronously a million times needs one stack frame this way, not a million.
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

  /// `longestRun` is for `runLettingGo`.
  @inlinable
  package init(longestRun: Int = 1 << 17) {
    self.longestRun = longestRun
  }

  /// Runs `step` now, or once more after the run that is in progress.
  @inlinable
  package func run(_ step: () -> Void) {
    guard begin() else { return }
    repeat { step() } while goesOn()
  }

  /// The same for a step that may ask for ever: after `longestRun` runs in a row the next ones happen on a queue, and the
  /// caller goes on. Else one who observes would never get what stops it.
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

  /// Whether the caller is to run the step; else whoever runs it now does so once more.
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
