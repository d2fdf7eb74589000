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

  @inlinable
  package init() {}

  /// Runs `step` now, or once more after the run that is in progress.
  @inlinable
  package func run(_ step: () -> Void) {
    let isFirst = state.withLock { state in
      state.isRequested = state.isRunning
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard isFirst else { return }
    repeat {
      step()
    } while state.withLock { state in
      state.isRunning = state.isRequested
      state.isRequested = false
      return state.isRunning
    }
  }
}
