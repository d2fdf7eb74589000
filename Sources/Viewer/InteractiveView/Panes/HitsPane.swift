import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

extension PaneID {
  static let hits = PaneID(title: "Hits")
}

/// The pane with the hits of the search, in the order of their times. It is also shown while the
/// text to search for is typed.
struct HitsPane: Pane {
  static let id = PaneID.hits
  static let help = "list the hits of the search"

  private(set) var list = ListPosition()
  /// The position of the timeline that the selected line belongs to.
  private var position: LogEvent.Position?

  func subject(in viewer: Viewer) -> String? {
    guard let result = viewer.search.result, result.isComplete else { return nil }
    let text = viewer.page.cut(viewer.page.safe(result.query.text), to: 30)
    let count = CountText.make(result.hits.count, "hit")
    return "\(text)\(viewer.page.glyphs.separator)\(result.isCut ? "more than " : "")\(count)"
  }

  func lineCount(_ viewer: Viewer) -> Int { viewer.search.result?.hits.count ?? 0 }

  func hits(_ viewer: Viewer) -> HitRequest? {
    guard let result = viewer.search.result, result.isComplete, !result.hits.isEmpty else {
      return nil
    }
    let range = shown(result, viewer)
    return HitRequest(
      query: result.query, revision: result.revision, range: range,
      locations: result.hits[range].map(\.location))
  }

  mutating func forgetLog() { position = nil }

  /// Selects the hit at the position of the timeline or, while a text is typed, the one that Enter
  /// goes to.
  mutating func adapt(to viewer: Viewer) {
    guard let result = viewer.search.result else { return }
    let height = Self.height(viewer)
    let current = viewer.timeline.position
    if viewer.prompt?.purpose == .search {
      let next = result.hit(.forward, from: viewer.searchStart(.forward))
      list.go(to: next?.index ?? 0, count: result.hits.count, height: height)
    } else if position != current {
      position = current
      let last = result.hit(.backward, from: current.justAfter)
      let index = last.map { $0.wraps ? 0 : $0.index } ?? 0
      list.go(to: index, count: result.hits.count, height: height)
    }
    list.scroll(count: result.hits.count, height: height)
  }

  private static func height(_ viewer: Viewer) -> Int { max(1, viewer.layout.pane.count) }

  private func shown(_ result: SearchResult, _ viewer: Viewer) -> Range<Int> {
    let first = max(0, min(list.first, result.hits.count))
    return first..<min(result.hits.count, first + viewer.layout.pane.count)
  }

  private func selected(_ viewer: Viewer) -> QueryHit? {
    guard let hits = viewer.search.result?.hits, hits.indices.contains(list.row) else { return nil }
    return hits[list.row]
  }

  // MARK: Moving

  mutating func move(_ movement: PaneMovement, in viewer: inout Viewer) {
    let count = viewer.search.result?.hits.count ?? 0
    select(movement.target(from: list.row, count: count), in: &viewer)
  }

  mutating func click(_ position: PanePosition, in viewer: inout Viewer) {
    select(list.first + position.row, in: &viewer)
  }

  private mutating func select(_ row: Int, in viewer: inout Viewer) {
    guard let hits = viewer.search.result?.hits, !hits.isEmpty else { return }
    list.go(to: row, count: hits.count, height: Self.height(viewer))
    point(in: &viewer)
  }

  mutating func point(in viewer: inout Viewer) {
    guard let hit = selected(viewer) else { return }
    viewer.go(to: Int(hit.lifecycle), at: hit.time)
    position = viewer.timeline.position
  }

  mutating func open(in viewer: inout Viewer) {
    point(in: &viewer)
    viewer.show(.detail)
  }

  func copiedText(in viewer: Viewer) -> String? {
    selected(viewer).map { line($0, list.row, viewer, time: "").text }
  }

  func source(in viewer: Viewer) -> SourceTarget {
    selected(viewer).map { .lane(of: Int($0.lifecycle)) } ?? .nothing
  }

  // MARK: Lines

  func lines(_ viewer: Viewer) -> [Line] {
    guard let result = viewer.search.result else {
      return [Line("no search yet; / starts one", .dim)]
    }
    guard result.isComplete else { return [Line("searching", .dim)] }
    let range = shown(result, viewer)
    guard !range.isEmpty else { return [Line("no hits", .dim)] }
    let page = viewer.page
    let times = AxisText(viewer).column(of: result.hits[range].map(\.time), shown: 0..<range.count)
    let width = max(11, times.map { DisplayWidth.columns(of: $0) }.max() ?? 0)
    return zip(range, times).map { index, time in
      let line = line(
        result.hits[index], index, viewer, time: DisplayWidth.padLeft(time, to: width) + "  "
      ).cut(to: page.width, ellipsis: page.glyphs.ellipsis)
      guard index == list.row else { return line }
      guard viewer.focus == .pane else { return line.bold }
      return Line(DisplayWidth.pad(line.text, to: page.width), .reversed)
    }
  }

  private func line(_ hit: QueryHit, _ index: Int, _ viewer: Viewer, time: String) -> Line {
    let (page, log) = (viewer.page, viewer.log)
    guard log.lifecycles.indices.contains(Int(hit.lifecycle)) else { return Line() }
    let lifecycle = log.lifecycles[Int(hit.lifecycle)]
    var line = Line(time)
    line.append(page.safe(log.title(of: lifecycle)) + "  ")
    if hit.location.length == 0 {
      line.append("starts", .dim)
      if let source = lifecycle.site.source { line.append("  " + page.safe(source)) }
    } else {
      let pages = viewer.panes.hits
      let offset = index - (pages.request?.range.lowerBound ?? 0)
      let text = pages.texts.indices.contains(offset) ? pages.texts[offset] : nil
      line.append(text.map { page.safeBeginning($0) } ?? "a long value")
    }
    return line
  }
}
