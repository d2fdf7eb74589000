import Dispatch

/// A runner for a step that may request to be run again, from inside itself or from another thread.
/// It runs the step in a loop, never recursively.
///
/// With it, `retry` over a source that fails synchronously a million times needs one stack frame
/// instead of a million.
@_fixed_layout @usableFromInline
final class Trampoline {
  @frozen @usableFromInline
  struct State {
    @usableFromInline var isRunning = false
    @usableFromInline var isRequested = false
    // The loop in which this thread last ran the step, and the runs since that loop began.
    @usableFromInline var drain: UInt = 0
    @usableFromInline var runsInDrain = 0

    @inlinable
    init() {}
  }

  @usableFromInline let state = Locked(State())
  @usableFromInline let maxRunCount: Int

  /// Creates a trampoline. Only `runLimited(_:)` uses `maxRunCount`.
  @inlinable
  init(maxRunCount: Int = 1 << 17) {
    self.maxRunCount = maxRunCount
  }

  /// Runs `step` now, or once more after the run in progress.
  @inlinable
  func run(_ step: () -> Void) {
    guard begin() else { return }
    repeat { step() } while beginNext()
  }

  /// Runs `step` like `run(_:)`, for a step that may request runs forever.
  ///
  /// After `maxRunCount` runs in a row, the next runs happen on a queue and the call returns.
  /// Otherwise, a subscribing caller would never get the disposable that stops the runs. Runs also
  /// count as in a row if they are requested by separate deliveries of one `Drain`.
  @inlinable
  func runLimited(_ step: @escaping () -> Void) {
    guard begin() else { return }
    let drain = Drain.number
    var runs = drain == 0 ? 0 : runsInDrain(drain)
    if runs >= maxRunCount { return runElsewhere(step) }
    repeat {
      step()
      runs += 1
      if runs == maxRunCount { break }
    } while beginNext()
    if drain != 0 { state.withLock { $0.runsInDrain = runs } }
    if runs == maxRunCount, beginNext() { runElsewhere(step) }
  }

  /// Returns the number of runs since this thread began a drain.
  @usableFromInline
  func runsInDrain(_ drain: UInt) -> Int {
    state.withLock { state in
      if state.drain != drain {
        state.drain = drain
        state.runsInDrain = 0
      }
      return state.runsInDrain
    }
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

  /// Ends a run, and begins the next one if it was requested. Reports whether it was.
  @inlinable
  func beginNext() -> Bool {
    state.withLock { state in
      state.isRunning = state.isRequested
      state.isRequested = false
      return state.isRunning
    }
  }

  /// Runs the step on a queue. The caller has already begun the first run.
  @usableFromInline
  func runElsewhere(_ step: @escaping () -> Void) {
    DispatchQueue(label: "reactive_kit.attempts").schedule(
      Tracing.carrying { [self] in
        repeat { step() } while beginNext()
      })
  }
}
