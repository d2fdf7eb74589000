import TerminalUI

/// The keys of a comparison: those of the view of one log for the commands that both have.
enum ComparisonKeys {
  /// Returns the command of a key, or nil if the key does nothing in a comparison.
  static func command(of key: KeyPress) -> ViewerCommand? {
    guard case .command(let command) = KeyTable.meaning(of: key), known.contains(command) else {
      return nil
    }
    return command
  }

  private static let known = Set(
    sections.flatMap(\.bindings).compactMap { binding -> ViewerCommand? in
      if case .command(let command) = binding.meaning { command } else { nil }
    })

  /// The list for the help.
  static let sections = [
    section(
      "Move",
      [
        (.up, "up one lane"), (.down, "down one lane"), (.pageUp, "up one page"),
        (.pageDown, "down one page"), (.first, "to the first lane"), (.last, "to the last lane"),
        (.left, "one column earlier"), (.right, "one column later"),
        (.farLeft, "ten columns earlier"), (.farRight, "ten columns later"),
      ]),
    section(
      "Zoom",
      [
        (.zoomIn, "zoom in at the cursor"), (.zoomOut, "zoom out"),
        (.panLeft, "scroll to earlier times"), (.panRight, "scroll to later times"),
        (.fit, "fit everything"),
      ]),
    section(
      "Find",
      [
        (.nextFinding, "next lane with a finding that differs"),
        (.previousFinding, "previous lane with one"), (.search, "search with a query"),
        (.nextHit, "next hit"), (.previousHit, "previous hit"),
        (.toggleFilter, "show only differences, or everything"),
      ]),
    section(
      "View",
      [
        (.otherLog, "open the lane in the full view of B or A"),
        (.open, "read the detail of the lane"), (.nextPane, "switch between lanes and detail"),
        (.copy, "copy the detail of the lane"),
      ]),
    section(
      "Program",
      [
        (.redraw, "redraw the screen"), (.help, "show this help"), (.back, "go back one step"),
        (.quit, "go back, or quit"), (.interrupt, "quit immediately"),
        (.suspend, "suspend; fg resumes"),
      ]),
  ]

  private static func section(
    _ title: String, _ entries: [(command: ViewerCommand, help: String)]
  ) -> KeyTable.Section {
    KeyTable.Section(
      title: title,
      bindings: entries.map { entry in
        let keys = KeyTable.bindings.first { $0.meaning == .command(entry.command) }?.keys ?? []
        return KeyTable.Binding(keys, entry.command, entry.help)
      })
  }
}
