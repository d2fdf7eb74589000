package import TerminalUI
package import TraceAnalysis
package import TraceFormat
package import ViewerConsole

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

// The colors of states and findings, the same in text and in the view. The style sheet of the HTML
// report (`Page/base.css`) has the same hues. Nothing else chooses a color for a state.
extension Glyphs {
  /// Returns the style of a subscription.
  ///
  /// - Parameter isSuspect: A Boolean value that indicates whether it is a leak.
  package static func style(_ state: Lifecycle.State, isSuspect: Bool = false) -> Style {
    isSuspect ? suspectStyle : stateStyle(state)
  }

  package static let suspectStyle = Style(color: .red, isBold: true, shade: fullShade)

  /// The style of what a user has noted in a log: marks and scopes.
  package static let noteStyle = Style(color: .yellow)

  package static func style(_ severity: Severity) -> Style {
    switch severity {
    case .error: suspectStyle
    case .warning: Style(color: .yellow, isBold: true)
    case .unproven: Style(color: .yellow)
    }
  }

  /// Terminals with a palette use this shade, which is readable on black and on white. The plain
  /// blue of many terminals is hardly readable on black.
  private static let fullShade: UInt8 = 4

  private static func stateStyle(_ state: Lifecycle.State) -> Style {
    let color: Style.Color =
      switch state {
      case .active: .blue
      case .completed: .green
      case .failed: .red
      case .disposed: .cyan
      case .released: .magenta
      }
    return Style(color: color, shade: fullShade)
  }
}

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
  package var name: String { "\(self)" }
}

// The signs and colors of what a task does. A task that runs has a solid line. Waits have lighter
// ones, so that they differ without colors too.
extension Glyphs {
  package func sign(_ cell: TaskCell) -> String {
    switch cell {
    case .runs: runs
    case .waits(let wait): sign(wait)
    case .mixed(let percent): busy[min(busy.count - 1, percent * busy.count / 100)]
    }
  }

  package func sign(_ wait: UnfinishedTask.Wait?) -> String {
    switch wait {
    case .continuation, nil: waitsForContinuation
    case .task: waitsForTask
    case .group: waitsForGroup
    case .executor: waitsForTurn
    }
  }

  /// Returns the style of a cell in a bar with the style of its state. A task that waits for its
  /// turn stands out, because a thread would be enough to let it continue.
  package static func style(_ cell: TaskCell, in bar: Style) -> Style {
    switch cell {
    case .runs, .mixed: Style(color: bar.color, isBold: bar.isBold, shade: bar.shade)
    case .waits(.executor): Style(color: .yellow, isBold: bar.isBold)
    case .waits: Style(color: bar.color, isBold: bar.isBold, isDim: !bar.isBold, shade: 2)
    }
  }
}
