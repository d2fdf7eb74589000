import TerminalUI
import TraceAnalysis

/// A painter that draws the bars of subscriptions into the cells of a line.
struct BarPainter {
  struct Cell: Equatable {
    var text = " "
    var style = Style.plain
  }

  private let viewer: Viewer
  private let scale: TimeScale
  private let times: TimeRange

  init(_ viewer: Viewer, _ scale: TimeScale) {
    self.viewer = viewer
    self.scale = scale
    times = viewer.timeline.window.times
  }

  /// Returns the cells for bars in a row.
  ///
  /// - Parameter members: The subscriptions without overlap, in the order of their beginnings.
  func bars(_ members: [Int]) -> [Cell] {
    var row = BarCells(columns: scale.columns)
    var counts = [Int](repeating: 0, count: scale.columns)
    let first = members.isEmpty ? 0 : firstVisible(members)
    for index in members[first...] {
      let span = viewer.viewed.spans[index]
      guard !times.endsBefore(span.start) else { break }
      guard span.last >= scale.start else { continue }
      let column = scale.column(of: span.start)
      viewer.snapshot.elements.add(index, scale, to: &counts)
      row.add(
        Timeline.Bar(
          index: index, columns: column...max(column, scale.column(of: span.last)),
          state: span.state, isSuspect: viewer.viewed.suspects.contains(index),
          isCutLeft: span.start < scale.start, isCutRight: times.endsBefore(span.last)))
    }
    return row.cells(elements: counts).map(paint)
  }

  private func paint(_ cell: BarCells.Cell) -> Cell {
    let glyphs = viewer.page.glyphs
    let style = cell.bar.map(style) ?? .plain
    let plain = Style(color: style.color, isDim: style.isDim)
    switch cell.sign {
    case .nothing: return Cell()
    case .line: return Cell(text: glyphs.line, style: plain)
    case .start: return Cell(text: glyphs.start, style: plain)
    case .end: return Cell(text: cell.bar.map { glyphs[$0.state] } ?? " ", style: style)
    case .suspect: return Cell(text: glyphs.suspect, style: style)
    case .elements(let count): return element(count, style)
    }
  }

  /// Returns the index of the first member that may be visible. Rows have no overlap, so ends have
  /// the order of beginnings.
  private func firstVisible(_ members: [Int]) -> Int {
    members.partitionPoint { viewer.viewed.spans[$0].last >= scale.start }
  }

  private func style(of bar: Timeline.Bar) -> Style {
    if bar.isSuspect { return Glyphs.suspectStyle }
    var style = Glyphs.style(bar.state)
    if bar.index == viewer.timeline.chosen { style.isBold = true }
    return style
  }

  private func element(_ count: Int, _ style: Style) -> Cell {
    let text = viewer.page.glyphs.element(count: count) ?? " "
    // The sign of an element is bold to stand out from its line. Signs for many elements are large
    // and need only their color.
    let shade: UInt8? = count < 10 ? nil : count < 100 ? 3 : 4
    return Cell(text: text, style: Style(color: style.color, isBold: count < 10, shade: shade))
  }

  /// Returns the number of live subscriptions over time as a density curve. For a folded lane, it
  /// counts the lane and the lanes below it. Otherwise, it counts the members that did not fit into
  /// a row.
  func hill(_ lane: TimelineRows.Lane, isFolded: Bool) -> [Cell] {
    let populations = isFolded ? populations(below: lane) : [lane.overflowPopulation]
    var alive = [Int](repeating: 0, count: scale.columns)
    var hasFailure = [Bool](repeating: false, count: scale.columns)
    var left = scale.start
    for column in 0..<scale.columns {
      let right = scale.start(of: column + 1)
      for population in populations {
        alive[column] += population.most(from: left, before: right)
        if population.hasFailure(from: left, before: right) { hasFailure[column] = true }
      }
      left = right
    }
    let most = alive.max() ?? 1
    let glyphs = viewer.page.glyphs
    return alive.enumerated().map { column, count in
      guard count > 0 else { return Cell() }
      let index = glyphs.densityIndex(count, of: most)
      let shade = UInt8(1 + index * 3 / max(1, glyphs.density.count - 1))
      if hasFailure[column] {
        return Cell(text: glyphs.failed, style: Glyphs.style(.failed))
      }
      return Cell(
        text: glyphs.density[index],
        style: Style(color: lane.leaks > 0 ? .red : .green, shade: shade))
    }
  }

  private func populations(below lane: TimelineRows.Lane) -> [Population] {
    let lanes = viewer.outline.lanes
    guard let number = viewer.outline.lane(of: lane.key) else { return [] }
    return [lane.population]
      + lanes[(number + 1)...].prefix { $0.depth > lane.depth }.map(\.population)
  }
}
