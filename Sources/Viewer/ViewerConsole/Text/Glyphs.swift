/// The signs that views consist of. The shape of each sign carries the same meaning as its color.
package struct Glyphs: Sendable {
  package let isASCII: Bool
  package let start: String
  package let line: String
  /// The signs for one, 2 or more, 10 or more, and 100 or more elements in a cell.
  package let elements: [String]
  package let completed: String
  package let failed: String
  package let disposed: String
  package let released: String
  package let active: String
  package let suspect = "!"
  /// The signs for densities, from low to high.
  package let density: [String]
  package let axis: String
  package let tick: String
  package let grid: String
  package let branch: String
  package let fork: String
  let trunk: String
  package let ellipsis: String
  package let times: String
  package let separator: String
  package let none: String
  // The signs of a task: it runs, or it waits.
  package let runs: String
  package let waitsForContinuation: String
  package let waitsForTask: String
  package let waitsForGroup: String
  package let waitsForTurn: String
  /// The signs for a task that runs and waits in one cell, from waiting most to running most.
  package let busy: [String]
  // The signs that only the interactive view uses.
  package let folded: String
  package let unfolded: String
  package let play: String
  package let pause: String
  package let cursor: String
  package let cursorLine: String
  package let note: String
  package let full: String
  package let empty: String

  package static let unicode = Glyphs(
    isASCII: false, start: "├", line: "─", elements: ["•", "●", "▓", "█"], completed: "✓",
    failed: "✗", disposed: "■", released: "○", active: "▶",
    density: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"], axis: "─", tick: "┬", grid: "┊",
    branch: "└ ", fork: "├ ", trunk: "│ ", ellipsis: "…", times: "×", separator: " · ",
    none: "·", runs: "━", waitsForContinuation: "┄", waitsForTask: "─", waitsForGroup: "═",
    waitsForTurn: "░", busy: ["▁", "▂", "▃", "▄", "▅", "▆", "▇"], folded: "▸", unfolded: "▾",
    play: "▶", pause: "‖",
    cursor: "▼", cursorLine: "│", note: "◆", full: "█", empty: "░")

  package static let ascii = Glyphs(
    isASCII: true, start: "+", line: "-", elements: ["o", "O", "%", "@"], completed: "|",
    failed: "X", disposed: "#", released: "~", active: ">",
    density: [".", "_", "=", "*"], axis: "-", tick: "+", grid: ":", branch: "- ",
    fork: "- ", trunk: "  ", ellipsis: "...", times: "x", separator: " | ", none: ".", runs: "=",
    waitsForContinuation: ".", waitsForTask: "-", waitsForGroup: "\"", waitsForTurn: "/",
    busy: ["_", "%"], folded: "+",
    unfolded: "-", play: ">", pause: "=",
    cursor: "V", cursorLine: "'", note: "*", full: "#", empty: ".")

  /// Returns the index of the density sign for a count that is not 0.
  package func densityIndex(_ count: Int, of maxCount: Int) -> Int {
    (count * density.count - 1) / max(1, maxCount)
  }

  package func element(count: Int) -> String? {
    switch count {
    case ..<1: nil
    case 1: elements[0]
    case 2..<10: elements[1]
    case 10..<100: elements[2]
    default: elements[3]
    }
  }

  package func sign(_ branch: TreeBranch) -> String {
    switch branch {
    case .none: "  "
    case .line: trunk
    case .fork: fork
    case .last: self.branch
    }
  }
}

/// A part of the lines before an entry of a tree: nothing, a line that leads past it, or the branch
/// that leads to it.
package enum TreeBranch: Equatable, Sendable {
  case none, line, fork, last
}
