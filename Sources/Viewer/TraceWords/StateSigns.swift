package import TraceAnalysis
import ViewerConsole

// The signs of states.
extension Glyphs {
  package subscript(state: Lifecycle.State) -> String {
    switch state {
    case .active: active
    case .completed: completed
    case .failed: failed
    case .disposed: disposed
    case .released: released
    }
  }

  /// Returns the sign of a subscription.
  ///
  /// - Parameter isSuspect: A Boolean value that indicates whether it is a leak.
  package func sign(_ state: Lifecycle.State, isSuspect: Bool) -> String {
    isSuspect ? suspect : self[state]
  }
}
