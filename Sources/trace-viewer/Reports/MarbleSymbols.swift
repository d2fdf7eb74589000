import TerminalUI
import TraceAnalysis

/// The signs of marble pictures, in the notation of the documentation. They are the same with and without `--ascii`.
///
///     ---[J]---[Ji]---[Jim]---|
enum MarbleSymbols {
  static let time = "-"
  static let alive = ">"

  /// An element.
  static func element(_ text: String) -> String { "[\(text)]" }

  /// So many elements that there is no room for.
  static func elements(_ count: Int) -> String { "[x\(count)]" }

  static func end(_ state: Lifecycle.State, error: String) -> String {
    switch state {
    case .active: alive
    case .completed: "|"
    case .failed: "!\(error)!"
    case .disposed: "^"
    case .released: "~"
    }
  }

  /// What the signs mean: those that occur.
  static func legend(_ diagram: MarbleDiagram, hasFolds: Bool, _ page: Page) -> [Line] {
    var entries: [Line] = []
    func add(_ sign: String, _ meaning: String, _ style: Style = .bold) {
      var line = Line(sign, style)
      line.append(" " + meaning)
      entries.append(line)
    }
    if diagram.rows.contains(where: { !$0.marbles.isEmpty }) { add("[a]", "an element") }
    if hasFolds { add("[x12]", "so many elements") }
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
