import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// The last line: a prompt, a notice, or the position of the cursor.
struct FooterBar {
  let viewer: Viewer

  /// The line, with the column in which text is typed.
  var line: (line: Line, cursor: Int?) {
    let page = viewer.page
    if let prompt = viewer.prompt { return typed(prompt) }
    if let notice = viewer.notice {
      let style = notice.isError ? Style(color: .red, isBold: true) : .bold
      return (Line(page.cut(page.safe(notice.text), to: viewer.terminal.columns), style), nil)
    }
    guard viewer.layout.keys == nil else { return (status(width: viewer.terminal.columns), nil) }
    let hint = "? help"
    let room = viewer.terminal.columns - DisplayWidth.columns(of: hint) - 2
    guard room > 12 else { return (status(width: viewer.terminal.columns), nil) }
    var line = status(width: room)
    line.pad(to: viewer.terminal.columns - DisplayWidth.columns(of: hint))
    line.append(hint, .dim)
    return (line, nil)
  }

  private func typed(_ prompt: Prompt) -> (line: Line, cursor: Int?) {
    let note = prompt.text.isEmpty ? hint(prompt.purpose) : meaning(of: prompt)
    return Self.typed(prompt, note: note, columns: viewer.terminal.columns, viewer.page)
  }

  /// Returns the line of a prompt. If the text is long, its end is visible, where the cursor
  /// usually is.
  ///
  /// - Parameter note: What to write after the text, if anything.
  static func typed(
    _ prompt: Prompt, note: String, columns: Int, _ page: Page
  ) -> (line: Line, cursor: Int?) {
    let problem = prompt.problem.map(page.safe)
    var line = Line(page.cut(prompt.title, to: max(1, columns / 2)), .bold)
    let text = page.safe(prompt.text)
    let needed = line.columns + DisplayWidth.columns(of: text) + 3
    // If there is not enough room for both, the problem replaces the prompt until the next key.
    if let problem, needed + DisplayWidth.columns(of: problem) > columns {
      return (Line(page.cut(problem, to: columns), Style(color: .red)), nil)
    }
    let room = max(1, columns - line.columns - 1)
    var before = page.safe(String(prompt.text.prefix(prompt.cursor)))
    while DisplayWidth.columns(of: before) > room, !before.isEmpty { before.removeFirst() }
    line.append(before)
    let cursor = line.columns
    line.append(page.safe(String(prompt.text.dropFirst(prompt.cursor))))
    if let problem {
      line.append("  \(problem)", Style(color: .red))
    } else {
      line.append(note, .dim)
    }
    return (line.cut(to: columns, ellipsis: page.glyphs.ellipsis), cursor)
  }

  /// Returns what a query selects, or why it can't select anything.
  private func meaning(of prompt: Prompt) -> String {
    if case .export(_, nil) = prompt.purpose {
      return "  .csv, .pftrace for Perfetto; X exports one lane"
    }
    guard prompt.purpose.isQuery else { return "" }
    do throws(QueryError) {
      guard !(try Query(prompt.text)).isEmpty else { return "" }
    } catch {
      return "  " + viewer.page.safe(error.sentence)
    }
    if prompt.purpose == .search { return viewer.search.result.map { "  " + count($0) } ?? "" }
    guard let typed = viewer.typedFilter else { return "" }
    guard let count = typed.count else { return "  counting" }
    let all = CountText.make(viewer.log.subscriptionCount, "subscription")
    return "  \(CountText.number(count)) of \(all)"
  }

  private func count(_ result: SearchResult) -> String {
    guard result.isComplete else { return "searching" }
    let count = result.hits.isEmpty ? "no hits" : CountText.make(result.hits.count, "hit")
    return result.isCut ? "more than \(count)" : count
  }

  /// Examples of queries.
  static let queryHint =
    "F1 lists all terms: timeout  lane:a.*  error:x  state:failed  life>1s  alive:60%"

  /// Returns examples of what may be typed.
  private func hint(_ purpose: Prompt.Purpose) -> String {
    switch purpose {
    case .command:
      "#7  1.5s  60%  +50ms  12:01:03  a.lane  File.swift:26  sf83ak  a part of a command"
    case .filter, .search: Self.queryHint
    case .note: "no text removes the note"
    case .export: ""
    }
  }

  private func status(width: Int) -> Line {
    let page = viewer.page
    let log = viewer.log
    let step = viewer.timeline.window.step(columns: viewer.layout.cells)
    var line = Line(AxisText(viewer).name(of: viewer.timeline.cursor, step: step), .bold)
    if viewer.layout.overview.isEmpty, !log.lifecycles.isEmpty, viewer.hasSubscriptions {
      line.append("  " + OverviewStrip.active(viewer))
    }
    if let note = viewer.noteAtCursor {
      line.append("  \(page.glyphs.note) ", Glyphs.noteStyle)
      line.append(page.safeBeginning(note.text))
    }
    guard let index = viewer.timeline.chosen, log.lifecycles.indices.contains(index) else {
      return line.cut(to: width, ellipsis: page.glyphs.ellipsis)
    }
    let lifecycle = log.lifecycles[index]
    let isSuspect = viewer.viewed.suspects.contains(index)
    let sign = page.glyphs.sign(lifecycle.state, isSuspect: isSuspect)
    line.append("  \(sign) ", Glyphs.style(lifecycle.state, isSuspect: isSuspect))
    if let event = viewer.timeline.event, event.lifecycle == index {
      line.append(page.safe(log.title(of: lifecycle)))
      line.append("  \(event.kind.rawValue)", EventText.style(event.kind))
      if let text = event.text { line.append("  \(page.safeBeginning(text))") }
      if let thread = EventText(log: log, page: page).thread(event) {
        line.append("  [\(page.safe(thread))]", .dim)
      }
    } else {
      let text = SubscriptionText(log: log, page: page)
      line.append(text.line(index, width: max(0, width - line.columns)))
    }
    return line.cut(to: width, ellipsis: page.glyphs.ellipsis)
  }
}
