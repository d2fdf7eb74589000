import TerminalUI
import ViewerConsole

/// The line with the keys that are most useful at the moment.
struct KeyBar {
  let viewer: Viewer

  /// The line, without the keys that do not fit. Help always fits, as it lists all of them.
  var line: Line {
    let page = viewer.page
    if let prompt = viewer.prompt { return Self.list(keys(of: prompt), upTo: page.width) }
    return Self.line(hints, help: hint(.help, "help"), page)
  }

  typealias Hint = (key: String, label: String)

  /// Returns the line with as many keys as fit before the key for help.
  static func line(_ hints: [Hint], help: Hint, _ page: Page) -> Line {
    let help = list([help], upTo: page.width)
    var line = list(hints, upTo: page.width - help.columns - Self.gap.count)
    if line.columns > 0 { line.append(Self.gap) }
    line.append(help)
    return line
  }

  private static let gap = "  "

  private func keys(of prompt: Prompt) -> [Hint] {
    let arrows = viewer.page.glyphs.isASCII ? "Up/Down" : "↑↓"
    let isPalette = prompt.purpose == .command
    return [
      ("Enter", isPalette ? "run" : "accept"), ("Esc", "cancel"), ("Tab", "complete"),
      (arrows, isPalette ? "choose" : "history"),
    ] + (isPalette ? [("^P", "history")] : []) + [("^U", "clear"), ("^W", "delete word")]
  }

  static func list(_ hints: [Hint], upTo width: Int) -> Line {
    var line = Line()
    for hint in hints {
      let gap = line.columns > 0 ? Self.gap : ""
      let text = gap + hint.key + " " + hint.label
      guard line.columns + DisplayWidth.columns(of: text) <= width else { break }
      line.append(gap)
      line.append(hint.key, Style(color: .cyan))
      line.append(" " + hint.label, .dim)
    }
    return line
  }

  /// The keys of the current situation, with the most useful first.
  private var hints: [Hint] {
    let hasFindings = !viewer.viewed.groups.isEmpty
    let finding = hasFindings ? [hint(.nextFinding, "finding")] : []
    if viewer.isReplaying {
      return [
        hint(.play, viewer.replay?.isPlaying == true ? "pause" : "play"), hint(.nextHit, "step"),
        hint(.stepBack, "back"), hint(.slower, "slower"), hint(.faster, "faster"),
        hint(.skipGaps, "gaps"), hint(.back, "end replay"),
      ]
    }
    let isRecording = viewer.recording != nil
    let recording =
      (viewer.compared.map { [hint(.otherLog, $0.side.other.letter)] } ?? [])
      + (isRecording ? [hint(.record, "list what grew")] : [])
    switch viewer.focus {
    case .timeline:
      let hits = viewer.search.result != nil ? [hint(.nextHit, "next hit")] : []
      // Recordings are for logs that grow. Marks lead to the same list.
      let hasMark = !viewer.timeline.marks.times.isEmpty
      let label = viewer.feed.reading.follows ? "record growth" : hasMark ? "what grew" : nil
      let growth = isRecording ? [] : label.map { [hint(.record, $0)] } ?? []
      return recording + finding + hits + growth + [
        hint(.nextPane, "pane"), hint(.open, "fold"), hint(.nextEvent, "event"),
        hint(.search, "search"), hint(.filter, "filter"), hint(.palette, "go to"),
        hint(.zoomIn, "zoom"), hint(.busiest, "busiest"), hint(.mark, "mark"),
        hint(.source, "source"), hint(.play, "replay"),
        hint(.quit, viewer.compared == nil ? "quit" : "back"),
      ]
    case .pane:
      let fold = viewer.panes.currentID == .findings ? [hint(.foldAll, "unfold all")] : []
      return recording + [hint(.nextPane, "timeline"), hint(.open, "open")] + fold + finding + [
        hint(.source, "source"), hint(.copy, "copy"), hint(.search, "search"),
        hint(.filter, "filter"), hint(.quit, viewer.compared == nil ? "quit" : "back"),
      ]
    }
  }

  private func hint(_ command: ViewerCommand, _ label: String) -> Hint {
    (KeyTable.key(of: command, isASCII: viewer.page.glyphs.isASCII), label)
  }
}
