import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// The whole screen of a comparison: its state as lines.
struct ComparisonScreen {
  let viewer: ComparisonViewer
  private var page: Page { viewer.page }

  var frame: Frame {
    let (columns, rows) = (viewer.terminal.columns, viewer.terminal.rows)
    let layout = viewer.layout
    guard !layout.isTooSmall else { return ScreenView.tooSmall(viewer.terminal) }
    if viewer.help.isShown {
      return HelpView.frame(
        Self.help(viewer.help, viewer.terminal), first: viewer.help.row, columns: columns,
        rows: rows, title: viewer.help.isAboutQueries ? "QUERIES" : "KEYS", page)
    }
    let painter = ComparisonPainter(viewer, layout)
    var lines = Array(head.suffix(layout.head.count))
    if !layout.axis.isEmpty { lines += painter.axis }
    lines += fill(layout.list.isEmpty ? [] : painter.lines, layout.list.count)
    if layout.title != nil {
      lines.append(title)
      lines += fill(Array(viewer.detail.dropFirst(viewer.firstDetail)), layout.detail.count)
    }
    let (footer, cursor) = footer(painter, layout)
    lines.append(footer)
    if layout.keys != nil { lines.append(keys) }
    return Frame(
      lines.map { $0.cut(to: columns, ellipsis: page.glyphs.ellipsis) },
      cursor: cursor.map { Frame.Position(row: layout.footer, column: min($0, columns - 1)) })
  }

  static func help(_ help: HelpState, _ terminal: TerminalState) -> [Line] {
    let terms = HelpView.terms(columns: terminal.columns, terminal.page)
    guard !help.isAboutQueries else { return terms }
    return HelpView.lines(ComparisonKeys.sections, columns: terminal.columns, terminal.page) {
      ComparisonSigns.lines(columns: $0, terminal.page)
    } + [Line()] + terms
  }

  private func fill(_ lines: [Line], _ count: Int) -> [Line] {
    Array(lines.prefix(count)) + Array(repeating: Line(), count: max(0, count - lines.count))
  }

  // MARK: The head

  /// The names and sizes of both logs, and the verdict.
  private var head: [Line] {
    let diff = viewer.logs.diff
    return [side("A", diff.old), side("B", diff.new), verdict]
  }

  private func side(_ letter: String, _ side: LogDiff.Side) -> Line {
    let count = side.verdict.groups.count
    // Searches for leaked objects take no time.
    let duration = side.log.duration > .zero ? [Line(page.duration(side.log.duration))] : []
    let facts =
      [Line(CountText.make(side.log.records, "record"))] + duration + [
        Line(CountText.make(count, "finding"), count > 0 ? .bold : .plain),
        Line(LogSentences.size(of: side.log)),
      ]
    // The name keeps a third of the line, and the facts that fit follow.
    let room = page.width - 2
    let needed = facts.reduce(0) {
      $0 + DisplayWidth.columns(of: page.glyphs.separator) + $1.columns
    }
    let name = page.cutMiddle(page.safe(side.name), to: max(room / 3, room - needed))
    let pieces = [Line(name, .bold)] + facts
    let flow = Page(width: page.width, glyphs: page.glyphs)
      .flow(pieces, separator: page.glyphs.separator, first: Line(letter + " ", .bold))
    return flow.first ?? Line()
  }

  private var verdict: Line {
    let (text, style) = viewer.logs.verdict
    var line = Line(page.safe(text), style)
    if viewer.logs.diff.isReversed {
      line.append(page.glyphs.separator, .dim)
      line.append("A is newer than B", Style(color: .yellow, isBold: true))
    }
    if viewer.logs.hasNothingInCommon {
      line = Line(
        "no lane is in both logs; different programs?", Style(color: .yellow, isBold: true))
      line.append(page.glyphs.separator, .dim)
      line.append(page.safe(text), style)
    }
    return line
  }

  // MARK: The detail

  /// The line with the name of the selected lane.
  private var title: Line {
    let glyphs = page.glyphs
    var line = Line(glyphs.axis, .dim)
    if let selected = viewer.selected {
      let name = page.cutMiddle(page.safe(selected.name), to: max(1, page.width - 4))
      line.append(" " + name + " ", viewer.focus == .pane ? .reversed : .bold)
    }
    let room = page.width - line.columns
    if room > 0 { line.append(String(repeating: glyphs.axis, count: room), .dim) }
    let hidden = viewer.detail.count - viewer.layout.detail.count - viewer.firstDetail
    let more = " +\(CountText.number(hidden)) "
    guard hidden > 0, room > more.utf8.count + 1 else { return line }
    var cut = line.cut(to: page.width - more.utf8.count - 1, ellipsis: "")
    cut.append(more, .dim)
    cut.append(glyphs.axis, .dim)
    return cut
  }

  // MARK: The last lines

  private func footer(
    _ painter: ComparisonPainter, _ layout: ComparisonLayout
  ) -> (line: Line, cursor: Int?) {
    if let prompt = viewer.prompt {
      let note = prompt.text.isEmpty ? FooterBar.queryHint : "  " + page.safe(hits(prompt))
      return FooterBar.typed(prompt, note: note, columns: page.width, page)
    }
    if let notice = viewer.notice {
      return (Line(page.cut(page.safe(notice.text), to: page.width), .bold), nil)
    }
    guard layout.keys == nil else { return (painter.status, nil) }
    let hint = "? help"
    let room = page.width - hint.utf8.count - 2
    guard room > 12 else { return (painter.status, nil) }
    var line = painter.status.cut(to: room, ellipsis: page.glyphs.ellipsis)
    line.pad(to: page.width - hint.utf8.count)
    line.append(hint, .dim)
    return (line, nil)
  }

  /// Returns how many lanes a query selects, or why it can't select any.
  private func hits(_ prompt: Prompt) -> String {
    do throws(QueryError) {
      guard !(try Query(prompt.text)).isEmpty else { return "" }
    } catch {
      return error.sentence
    }
    guard let search = viewer.search, search.hits != nil else { return "searching" }
    if search.hasFailed { return "the file has changed" }
    let count = viewer.hits.count
    return count == 0 ? "no hits" : CountText.make(count, "hit")
  }

  private var keys: Line {
    let isASCII = page.glyphs.isASCII
    func hint(_ command: ViewerCommand, _ label: String) -> KeyBar.Hint {
      (KeyTable.key(of: command, isASCII: isASCII), label)
    }
    if viewer.prompt != nil {
      return KeyBar.list(
        [("Enter", "accept"), ("Esc", "cancel"), ("Tab", "complete"), ("F1", "all terms")],
        upTo: page.width)
    }
    let isDetail = viewer.focus == .pane
    var hints = [
      hint(.open, isDetail ? "lanes" : "detail"), hint(.otherLog, "full view"),
      hint(.nextFinding, "finding"),
    ]
    if viewer.search != nil { hints.append(hint(.nextHit, "next hit")) }
    hints += [
      hint(.toggleFilter, viewer.hidesSame ? "everything" : "differences"),
      hint(.search, "search"), hint(.zoomIn, "zoom"), hint(.zoomOut, "out"), hint(.copy, "copy"),
      hint(.quit, "quit"),
    ]
    return KeyBar.line(hints, help: hint(.help, "help"), page)
  }
}
