import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// A painter that draws the bars of subscriptions into the cells of a line.
struct BarPainter {
  struct Cell: Equatable {
    var text = " "
    var style = Style.plain
  }

  // The parts of the viewer that a cell needs. Copying the whole viewer for each cell would take
  // most of the time of a frame.
  private let glyphs: Glyphs
  private let spans: LifeSpans
  private let suspects: Set<Int>
  private let elements: ElementIndex
  private let outline: TimelineRows
  private let chosen: Int?
  private let scale: TimeScale
  private let times: TimeRange

  init(_ viewer: Viewer, _ scale: TimeScale) {
    glyphs = viewer.page.glyphs
    spans = viewer.viewed.spans
    suspects = viewer.viewed.suspects
    elements = viewer.snapshot.elements
    outline = viewer.outline
    chosen = viewer.timeline.chosen
    self.scale = scale
    times = viewer.timeline.window.times
  }

  /// Returns the cells for bars in a row.
  ///
  /// - Parameter members: The subscriptions without overlap, in the order of their beginnings.
  func bars(_ members: MemberList) -> [Cell] {
    var row = BarCells(columns: scale.columns)
    var counts = [Int](repeating: 0, count: scale.columns)
    let first = members.isEmpty ? 0 : firstVisible(members)
    for index in members[first...] {
      let span = spans[index]
      guard !times.endsBefore(span.start) else { break }
      guard span.last >= scale.start else { continue }
      let column = scale.column(of: span.start)
      let columns = column...max(column, scale.column(of: span.last))
      elements.add(index, scale, to: &counts)
      row.add(
        Timeline.Bar(
          index: index, columns: columns, state: span.state, isSuspect: suspects.contains(index),
          isCutLeft: span.start < scale.start, isCutRight: times.endsBefore(span.last),
          task: spans.taskCells(of: index, columns, scale)))
    }
    var cells: [Cell] = []
    cells.reserveCapacity(scale.columns)
    for cell in row.cells(elements: counts) { cells.append(paint(cell)) }
    return cells
  }

  private func paint(_ cell: BarCells.Cell) -> Cell {
    // A cell without a bar may have elements that came after an end.
    let style: Style = if let bar = cell.bar { style(of: bar) } else { .plain }
    let plain = Style(color: style.color, isDim: style.isDim, shade: style.shade)
    switch cell.sign {
    case .nothing: return Cell()
    case .line: return Cell(text: glyphs.line, style: plain)
    case .start: return Cell(text: glyphs.start, style: plain)
    case .end: return Cell(text: cell.bar.map { glyphs[$0.state] } ?? " ", style: style)
    case .suspect: return Cell(text: glyphs.suspect, style: style)
    case .elements(let count): return element(count, style)
    case .task(let task):
      return Cell(text: glyphs.sign(task), style: Glyphs.style(task, in: style))
    }
  }

  /// Returns the index of the first member that may be visible. Rows have no overlap, so ends have
  /// the order of beginnings.
  private func firstVisible(_ members: MemberList) -> Int {
    members.partitionPoint { spans[$0].last >= scale.start }
  }

  private func style(of bar: Timeline.Bar) -> Style {
    var style = Glyphs.style(bar.state, isSuspect: bar.isSuspect)
    if bar.index == chosen { style.isBold = true }
    return style
  }

  private func element(_ count: Int, _ style: Style) -> Cell {
    let text = glyphs.element(count: count) ?? " "
    // The sign of an element is bold to stand out from its line. Signs for many elements are large
    // and need only their color.
    let shade: UInt8? = count < 10 ? style.shade : count < 100 ? 3 : 4
    return Cell(text: text, style: Style(color: style.color, isBold: count < 10, shade: shade))
  }

  /// Returns the number of live subscriptions over time as a density curve. For a folded lane, it
  /// counts the lane and the lanes below it. Otherwise, it counts the members that did not fit into
  /// a row.
  func hill(_ lane: TimelineRows.Lane, isFolded: Bool) -> [Cell] {
    let populations = isFolded ? populations(below: lane) : [lane.layout.overflowPopulation]
    let painter = HillPainter(glyphs: glyphs, scale: scale)
    let hill = painter.hill(of: populations)
    let color = Glyphs.style(.active, isSuspect: lane.leaks > 0).color
    return painter.cells(hill, maxCount: hill.maxCount, color: color)
  }

  private func populations(below lane: TimelineRows.Lane) -> [Population] {
    let lanes = outline.lanes
    guard let number = outline.lane(of: lane.key) else { return [] }
    return [lane.layout.population]
      + lanes[(number + 1)...].prefix { $0.depth > lane.depth }.map(\.layout.population)
  }
}

/// A painter that draws the number of live subscriptions over time as a density curve.
struct HillPainter {
  /// The numbers in the columns of a scale.
  struct Hill {
    fileprivate(set) var alive: [Int]
    fileprivate(set) var hasFailure: [Bool]

    var maxCount: Int { alive.max() ?? 1 }
  }

  let glyphs: Glyphs
  let scale: TimeScale

  /// Returns the numbers of live subscriptions.
  ///
  /// - Parameter end: The end of the log, after which nothing is drawn; by default, everything is.
  func hill(of populations: [Population], until end: Nanoseconds = Nanoseconds(.max)) -> Hill {
    var hill = Hill(
      alive: Array(repeating: 0, count: scale.columns),
      hasFailure: Array(repeating: false, count: scale.columns))
    var left = scale.start
    for column in 0..<scale.columns {
      guard left <= end else { break }
      let right = scale.start(of: column + 1)
      for population in populations {
        hill.alive[column] += population.maxAlive(from: left, before: right)
        if population.hasFailure(from: left, before: right) { hill.hasFailure[column] = true }
      }
      left = right
    }
    return hill
  }

  /// Returns the cells of a curve.
  ///
  /// - Parameter maxCount: The number that fills a cell.
  func cells(_ hill: Hill, maxCount: Int, color: Style.Color?) -> [BarPainter.Cell] {
    var cells = [BarPainter.Cell](repeating: .init(), count: scale.columns)
    for (column, count) in hill.alive.enumerated() where count > 0 {
      if hill.hasFailure[column] {
        cells[column] = .init(text: glyphs.failed, style: Glyphs.style(.failed))
        continue
      }
      let index = glyphs.densityIndex(count, of: maxCount)
      let shade = UInt8(1 + index * 3 / max(1, glyphs.density.count - 1))
      cells[column] = .init(text: glyphs.density[index], style: Style(color: color, shade: shade))
    }
    return cells
  }
}
