import TerminalUI
import TraceAnalysis

/// The signs that views consist of. The shape of each sign carries the same meaning as its color.
struct Glyphs: Sendable {
  let isASCII: Bool
  let start: String
  let line: String
  /// The signs for one, 2 or more, 10 or more, and 100 or more elements in a cell.
  let elements: [String]
  let completed: String
  let failed: String
  let disposed: String
  let released: String
  let active: String
  let suspect = "!"
  /// The signs for densities, from low to high.
  let density: [String]
  let axis: String
  let tick: String
  let grid: String
  let branch: String
  let ellipsis: String
  let times: String
  let separator: String
  let none: String
  // The signs that only the interactive view uses.
  let folded: String
  let unfolded: String
  let play: String
  let pause: String
  let cursor: String
  let cursorLine: String
  let note: String
  let full: String
  let empty: String

  static let unicode = Glyphs(
    isASCII: false, start: "├", line: "─", elements: ["•", "●", "▒", "█"], completed: "✓",
    failed: "✗", disposed: "■", released: "○", active: "▶",
    density: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"], axis: "─", tick: "┬", grid: "┊",
    branch: "└ ", ellipsis: "…", times: "×", separator: " · ", none: "·", folded: "▸",
    unfolded: "▾", play: "▶", pause: "‖",
    cursor: "▼", cursorLine: "│", note: "◆", full: "█", empty: "░")

  static let ascii = Glyphs(
    isASCII: true, start: "+", line: "-", elements: ["o", "O", "%", "@"], completed: "|",
    failed: "X", disposed: "#", released: "~", active: ">",
    density: [".", "_", "=", "*"], axis: "-", tick: "+", grid: ":", branch: "- ",
    ellipsis: "...", times: "x", separator: " | ", none: ".", folded: "+", unfolded: "-", play: ">",
    pause: "=",
    cursor: "V", cursorLine: "'", note: "*", full: "#", empty: ".")

  /// Returns the index of the density sign for a count that is not 0.
  func densityIndex(_ count: Int, of most: Int) -> Int {
    (count * density.count - 1) / max(1, most)
  }

  func element(count: Int) -> String? {
    switch count {
    case ..<1: nil
    case 1: elements[0]
    case 2..<10: elements[1]
    case 10..<100: elements[2]
    default: elements[3]
    }
  }

  subscript(state: Lifecycle.State) -> String {
    switch state {
    case .active: active
    case .completed: completed
    case .failed: failed
    case .disposed: disposed
    case .released: released
    }
  }

  static func style(_ state: Lifecycle.State) -> Style {
    switch state {
    case .active: Style(color: .green)
    case .completed: Style(color: .blue)
    case .failed: Style(color: .red)
    case .disposed: Style(color: .yellow)
    case .released: .dim
    }
  }

  static func style(_ severity: Severity) -> Style {
    switch severity {
    case .error: suspectStyle
    case .warning: Style(color: .yellow, isBold: true)
    case .unproven: Style(color: .yellow)
    }
  }

  static let suspectStyle = Style(color: .red, isBold: true)
}
