import TraceAnalysis
import ViewerConsole

// The values of options that are about an analysis.
extension Verdict.FailOn: OptionChoice {}

extension Lifecycle.State: OptionChoice {
  package var name: String {
    switch self {
    case .active: "active"
    case .completed: "completed"
    case .failed: "failed"
    case .disposed: "disposed"
    case .released: "released"
    }
  }
}
