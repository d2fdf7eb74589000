import TerminalUI
import TraceAnalysis
import TraceWords
import ViewerConsole

/// The signs of marble diagrams, in the notation of the documentation. They do not depend on
/// `--ascii`.
///
///     ---[J]---[Ji]---[Jim]---|
enum MarbleSymbols {
  static let time = "-"
  static let alive = ">"

  /// Returns the sign of an element.
  static func element(_ text: String) -> String { "[\(text)]" }

  /// Returns the sign for a number of elements that do not fit.
  static func elements(_ count: Int) -> String { "[x\(count)]" }

  static func end(_ state: Lifecycle.State, error: String) -> String {
    switch state {
    case .active: alive
    case .completed: "|"
    case .failed: "X(\(error))"
    case .disposed: "^"
    case .released: "~"
    }
  }

  /// Returns the meanings of the signs that occur.
  static func legend(_ diagram: MarbleDiagram, hasFolds: Bool, _ page: Page) -> [Line] {
    var entries: [Line] = []
    func add(_ sign: String, _ meaning: String, _ style: Style = .bold) {
      var line = Line(sign, style)
      line.append(" " + meaning)
      entries.append(line)
    }
    if diagram.rows.contains(where: { !$0.marbles.isEmpty }) { add("[a]", "an element") }
    if hasFolds { add("[x12]", "that many elements") }
    let names: [(Lifecycle.State, String)] = [
      (.completed, "completed"), (.failed, "failed"), (.disposed, "disposed"),
      (.released, "released"), (.active, "still active"),
    ]
    for (state, name) in names
    where diagram.rows.contains(where: { $0.state == state && $0.end != nil }) {
      add(end(state, error: "error"), name, Glyphs.style(state))
    }
    return page.flow(entries, separator: "   ")
  }
}
