import TerminalUI
import TraceAnalysis
import TraceWords
import ViewerConsole

/// The column at the right edge of a timeline that is longer than its rows. It shows which part is
/// visible, and where in the whole list hits, findings and failures are.
struct ScrollBar {
  private let viewer: Viewer
  private let height: Int

  init(_ viewer: Viewer, _ layout: ViewLayout) {
    self.viewer = viewer
    height = layout.timeline.count
  }

  /// The cells, from top to bottom.
  var cells: [BarPainter.Cell] {
    let list = viewer.timeline.list
    return (0..<height).map { row in
      let items = items(row)
      let isVisible = items.overlaps(list.first..<list.first + height)
      return cell(signs(items), isVisible: isVisible)
    }
  }

  /// Returns the line of the timeline that a row of the bar stands for.
  func item(at row: Int) -> Int { items(max(0, min(row, height - 1))).lowerBound }

  /// Returns the lines of the timeline that a row stands for.
  private func items(_ row: Int) -> Range<Int> {
    let count = viewer.timeline.list.items.count
    let first = row * count / max(1, height)
    return first..<max(first + 1, (row + 1) * count / max(1, height))
  }

  private func signs(_ items: Range<Int>) -> LaneSigns {
    let (all, hits) = (viewer.viewed.laneSigns, viewer.search.lanes)
    return viewer.timeline.list.items[items.clamped(to: viewer.timeline.list.items.indices)]
      .reduce(into: LaneSigns()) { signs, item in
        if all.indices.contains(item.lane) { signs.formUnion(all[item.lane]) }
        if hits.indices.contains(item.lane), hits[item.lane] { signs.insert(.hit) }
      }
  }

  private func cell(_ signs: LaneSigns, isVisible: Bool) -> BarPainter.Cell {
    let glyphs = viewer.page.glyphs
    var cell: BarPainter.Cell
    // The same sign for all, because the signs of bars would be about the row next to it.
    if signs.contains(.hit) {
      cell = .init(text: glyphs.elements[0], style: Self.hitStyle)
    } else if signs.contains(.finding) {
      cell = .init(text: glyphs.elements[0], style: Glyphs.suspectStyle)
    } else if signs.contains(.failure) {
      cell = .init(text: glyphs.elements[0], style: Glyphs.style(.failed))
    } else {
      return .init(text: isVisible ? glyphs.full : glyphs.grid, style: .dim)
    }
    cell.style.isReversed = isVisible
    return cell
  }

  static let hitStyle = Style(color: .cyan, isBold: true)
}
