package import TerminalUI
package import TraceAnalysis
import ViewerConsole

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
