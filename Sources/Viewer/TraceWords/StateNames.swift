import TraceAnalysis
import ViewerConsole

// The values of options that are about an analysis.
//
// The words about subscriptions that haven't ended, in all outputs:
//
// - active: the state of a subscription that hasn't ended. At the end of a log, it is "still
//   active".
// - undisposed: active at the end of a complete log, although it isn't declared to live that long.
//   This is the name of the rule, and the verdict counts these subscriptions.
// - leak: a subscription of a proven finding about that, or one that is active because of it. An
//   unproven finding is never called a leak.
// - finding: one mistake, with all its subscriptions.
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
