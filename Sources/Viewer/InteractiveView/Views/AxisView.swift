import TerminalUI
import TraceAnalysis
import TraceWords
import ViewerConsole

/// The time axis above the timeline, with marks and the cursor.
struct AxisView {
  private let viewer: Viewer
  private let layout: ViewLayout
  private let scale: TimeScale

  init(_ viewer: Viewer, _ layout: ViewLayout) {
    self.viewer = viewer
    self.layout = layout
    scale = viewer.timeline.window.scale(columns: layout.cells)
  }

  static func ticks(_ scale: TimeScale, _ text: AxisText) -> [TimeScale.Tick] {
    // A wider gap can need more digits, and more digits can need a wider gap. Two rounds are
    // enough.
    var gap = 10
    for _ in 0..<2 {
      let ticks = text.ticks(scale, gap: gap)
      let widest = ticks.map { DisplayWidth.columns(of: text.name(of: $0.time, among: ticks)) }
        .max()
      gap = max(gap, (widest ?? 0) + 2)
    }
    return text.ticks(scale, gap: gap)
  }

  /// Returns the names of ticks above their columns, without those that don't fit.
  static func names(_ ticks: [TimeScale.Tick], _ text: AxisText, columns: Int) -> Line {
    var names = ""
    for (index, tick) in ticks.enumerated() {
      let name = text.name(of: tick.time, among: ticks)
      let end = index + 1 < ticks.count ? ticks[index + 1].column - 1 : columns
      let used = DisplayWidth.columns(of: names)
      guard tick.column > used || names.isEmpty,
        tick.column + DisplayWidth.columns(of: name) <= end
      else { continue }
      names = DisplayWidth.pad(names, to: tick.column) + name
    }
    return Line(names, .dim)
  }

  var lines: [Line] {
    let text = AxisText(viewer)
    let ticks = Self.ticks(scale, text)
    let title = viewer.snapshot.isAligned ? "all start at 0" : text.title
    var lines = [named(title, Self.names(ticks, text, columns: scale.columns))]
    if layout.axis.count > 1 {
      lines.append(named(arrangement, axis(ticks)))
    }
    return lines
  }

  /// The grouping and the order of the lanes, if they are not the usual ones.
  private var arrangement: String {
    let arrangement = viewer.viewed.arrangement
    var words: [String] = []
    if arrangement.grouping != .parent { words.append("by \(arrangement.grouping.rawValue)") }
    if arrangement.order != .time { words.append("sorted by \(arrangement.order.rawValue)") }
    return words.joined(separator: ", ")
  }

  private func named(_ title: String, _ cells: Line) -> Line {
    let page = viewer.page
    var line = Line(page.cut(title, to: layout.labelWidth), .dim)
    line.pad(to: layout.labelWidth + ViewLayout.gap)
    line.append(cells)
    return line
  }

  /// The columns in which there are hits of the search.
  private var hitColumns: [Int] {
    guard let hits = viewer.search.result?.hits, !hits.isEmpty else { return [] }
    return (0..<scale.columns).filter { column in
      let first = hits.partitionPoint { $0.time >= scale.start(of: column) }
      guard first < hits.count, viewer.timeline.window.contains(hits[first].time) else {
        return false
      }
      return scale.column(of: hits[first].time) == column
    }
  }

  private func axis(_ ticks: [TimeScale.Tick]) -> Line {
    let glyphs = viewer.page.glyphs
    var cells = [(text: String, style: Style)](repeating: (glyphs.axis, .dim), count: scale.columns)
    for tick in ticks { cells[tick.column].text = glyphs.tick }
    for column in hitColumns { cells[column] = (glyphs.elements[0], ScrollBar.hitStyle) }
    if let between = viewer.timeline.marks.between {
      let range = scale.column(of: between.start)...scale.column(of: between.end)
      for column in range
      where between.end >= scale.start && between.start < viewer.timeline.window.end {
        cells[column].style = .reversed
      }
    }
    for (number, time) in viewer.timeline.marks.times.enumerated()
    where viewer.timeline.window.contains(time) {
      cells[scale.column(of: time)] = (number == 0 ? "A" : "B", .bold)
    }
    for note in viewer.shownNotes where viewer.timeline.window.contains(note.time) {
      cells[scale.column(of: note.time)] = (glyphs.note, Style(color: .cyan, isBold: true))
    }
    for mark in viewer.log.marks where viewer.timeline.window.contains(mark.time) {
      var style = Glyphs.noteStyle
      style.isBold = true
      cells[scale.column(of: mark.time)] = (glyphs.note, style)
    }
    if viewer.timeline.window.contains(viewer.timeline.cursor) {
      cells[scale.column(of: viewer.timeline.cursor)] = (
        glyphs.cursor, Style(color: .cyan, isBold: true)
      )
    }
    var line = Line()
    for cell in cells { line.append(cell.text, cell.style) }
    return line
  }
}
