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
  let fork: String
  let trunk: String
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
    branch: "└ ", fork: "├ ", trunk: "│ ", ellipsis: "…", times: "×", separator: " · ",
    none: "·", folded: "▸", unfolded: "▾", play: "▶", pause: "‖",
    cursor: "▼", cursorLine: "│", note: "◆", full: "█", empty: "░")

  static let ascii = Glyphs(
    isASCII: true, start: "+", line: "-", elements: ["o", "O", "%", "@"], completed: "|",
    failed: "X", disposed: "#", released: "~", active: ">",
    density: [".", "_", "=", "*"], axis: "-", tick: "+", grid: ":", branch: "- ",
    fork: "- ", trunk: "  ", ellipsis: "...", times: "x", separator: " | ", none: ".", folded: "+",
    unfolded: "-", play: ">", pause: "=",
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

  func sign(_ branch: TreeBranch) -> String {
    switch branch {
    case .none: "  "
    case .line: trunk
    case .fork: fork
    case .last: self.branch
    }
  }

  /// Returns the sign of a subscription.
  ///
  /// - Parameter isSuspect: A Boolean value that indicates whether it is a leak.
  func sign(_ state: Lifecycle.State, isSuspect: Bool) -> String {
    isSuspect ? suspect : self[state]
  }
}

/// A part of the lines before an entry of a tree: nothing, a line that leads past it, or the branch
/// that leads to it.
enum TreeBranch: Equatable, Sendable {
  case none, line, fork, last
}
