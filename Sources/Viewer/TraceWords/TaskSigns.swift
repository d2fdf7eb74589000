package import TerminalUI
package import TraceAnalysis
package import TraceFormat
package import ViewerConsole

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
