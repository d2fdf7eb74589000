import TerminalUI
import TraceAnalysis
import TraceFormat

/// A painter that draws the bars of subscriptions into the cells of a line.
struct BarPainter {
  struct Cell: Equatable {
    var text = " "
    var style = Style.plain
  }

  private let viewer: Viewer
  private let scale: TimeScale
  private let end: Nanoseconds

  init(_ viewer: Viewer, _ scale: TimeScale) {
    self.viewer = viewer
    self.scale = scale
    end = viewer.timeline.window.end
  }

  /// A part of a bar in a cell. If several parts share a cell, the one with the highest value is
  /// shown.
  private enum Part: Int {
    case nothing, line, start, finish, element, failure, suspect
  }

  /// Returns the cells for bars in a row.
  ///
  /// - Parameter members: The subscriptions without overlap, in the order of their beginnings.
  func bars(_ members: [Int]) -> [Cell] {
    var cells = [Cell](repeating: Cell(), count: scale.columns)
    var parts = [Part](repeating: .nothing, count: scale.columns)
    var counts = [Int](repeating: 0, count: scale.columns)
    var ends = counts
    let first = members.isEmpty ? 0 : firstVisible(members)
    for index in members[first...] {
      let span = viewer.viewed.spans[index]
      guard span.start < end else { break }
      let last = span.last
      guard last >= scale.start else { continue }
      let (from, to) = (scale.column(of: span.start), scale.column(of: last))
      let style = style(of: index, span.state)
      viewer.snapshot.elements.add(index, scale, to: &counts)
      let glyphs = viewer.page.glyphs
      func put(_ column: Int, _ part: Part, _ text: String, _ style: Style) {
        guard part.rawValue >= parts[column].rawValue else { return }
        parts[column] = part
        cells[column] = Cell(text: text, style: style)
      }
      let plain = Style(color: style.color, isDim: style.isDim)
      if to > from { for column in from...to { put(column, .line, glyphs.line, plain) } }
      if span.start >= scale.start { put(from, .start, glyphs.start, plain) }
      guard last < end else { continue }
      ends[to] += 1
      let isSuspect = viewer.viewed.suspects.contains(index)
      let part: Part =
        isSuspect ? .suspect : span.state == .failed ? .failure : .finish
      put(to, part, isSuspect ? glyphs.suspect : glyphs[span.state], style)
    }
    for column in cells.indices where counts[column] > 0 {
      // A single end keeps its sign. If there are several, the number of elements says more.
      guard parts[column].rawValue < Part.element.rawValue, ends[column] != 1 else { continue }
      cells[column] = element(counts[column], cells[column].style)
    }
    return cells
  }

  /// Returns the index of the first member that may be visible. Rows have no overlap, so ends have
  /// the order of beginnings.
  private func firstVisible(_ members: [Int]) -> Int {
    Population.count(members) { viewer.viewed.spans[$0].last < scale.start }
  }

  private func style(of index: Int, _ state: Lifecycle.State) -> Style {
    if viewer.viewed.suspects.contains(index) { return Glyphs.suspectStyle }
    var style = Glyphs.style(state)
    if index == viewer.timeline.chosen { style.isBold = true }
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
    let most = max(1, alive.max() ?? 1)
    let ramp = viewer.page.glyphs.density
    return alive.enumerated().map { column, count in
      guard count > 0 else { return Cell() }
      let step = (count * ramp.count - 1) / most
      let shade = UInt8(1 + step * 3 / max(1, ramp.count - 1))
      if hasFailure[column] {
        return Cell(text: viewer.page.glyphs.failed, style: Glyphs.style(.failed))
      }
      return Cell(
        text: ramp[step], style: Style(color: lane.leaks > 0 ? .red : .green, shade: shade))
    }
  }

  private func populations(below lane: TimelineRows.Lane) -> [Population] {
    let lanes = viewer.outline.lanes
    guard let number = viewer.outline.lane(of: lane.key) else { return [] }
    return [lane.population]
      + lanes[(number + 1)...].prefix { $0.depth > lane.depth }.map(\.population)
  }
}
