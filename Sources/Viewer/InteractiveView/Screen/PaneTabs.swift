import TerminalUI
import ViewerConsole

/// The line with the names of the panes, one of which is shown.
struct PaneTabs {
  let viewer: Viewer

  /// The minimum number of columns for both ends of a subject.
  private static let minColumnsForBothEnds = 12

  private func labels(around space: String) -> [(id: PaneID, text: String)] {
    viewer.panes.ids.enumerated().map { index, id in
      (id: id, text: space + "\(index + 1) \(id.title)" + space)
    }
  }

  private func columns(of labels: [(id: PaneID, text: String)]) -> Int {
    labels.reduce(1) { $0 + DisplayWidth.columns(of: $1.text) + 1 }
  }

  private var labels: [(id: PaneID, text: String)] {
    let spacious = labels(around: " ")
    guard columns(of: spacious) > viewer.terminal.columns else { return spacious }
    var all = labels(around: "")
    for index in all.indices where all[index].id == viewer.panes.currentID {
      all[index].text = " \(all[index].text) "
    }
    guard columns(of: all) > viewer.terminal.columns else { return all }
    // If there is not enough room for all names, only the shown pane has its name.
    return all.enumerated().map { index, label in
      label.id == viewer.panes.currentID ? label : (label.id, "\(index + 1)")
    }
  }

  var line: Line {
    let glyphs = viewer.page.glyphs
    var line = Line(glyphs.axis, .dim)
    for (id, text) in labels {
      let isShown = id == viewer.panes.currentID
      var style = isShown ? Style.bold : .dim
      if isShown, viewer.focus == .pane { style = .reversed }
      line.append(text, style)
      line.append(glyphs.axis, .dim)
    }
    if let subject = viewer.panes.current.subject(in: viewer) {
      // The end of the subject has its number or its row.
      let room = viewer.terminal.columns - line.columns - 2
      let hasRoom = room >= Self.minColumnsForBothEnds
      line.append(" \(hasRoom ? viewer.page.cutMiddle(subject, to: room) : subject) ", .bold)
    }
    let room = viewer.terminal.columns - line.columns
    if room > 0 { line.append(String(repeating: glyphs.axis, count: room), .dim) }
    return line.cut(to: viewer.terminal.columns, ellipsis: glyphs.ellipsis)
  }

  /// Returns the pane whose name is at a column.
  func pane(at column: Int) -> PaneID? {
    var start = 1
    for (id, text) in labels {
      let end = start + DisplayWidth.columns(of: text)
      if (start..<end).contains(column) { return id }
      start = end + 1
    }
    return nil
  }
}
