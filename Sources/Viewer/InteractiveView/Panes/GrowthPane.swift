import TerminalUI
import TraceAnalysis
import TraceFormat
import ViewerConsole

extension PaneID {
  static let growth = PaneID(title: "Growth")
}

/// The pane with what grew between the marks or in the whole log: the subscriptions that were made
/// there and were still active at its end, by lane and place.
struct GrowthPane: Pane {
  static let id = PaneID.growth
  static let help = "list what grew between the marks, or in the whole log"
  var showsChoice: Bool { false }

  private(set) var list = ListPosition()
  /// The rows that the selection is for.
  private var revision = 0

  var needsGrowth: Bool { true }

  func subject(in viewer: Viewer) -> String? {
    guard viewer.recording == nil else { return "recording" }
    if let between = viewer.timeline.marks.between {
      return "A to B, \(viewer.page.duration(between.duration))"
    }
    return viewer.growthRange.map { _ in "whole log; r marks a part" }
  }

  private func rows(_ viewer: Viewer) -> [Increase] {
    guard viewer.recording == nil else { return [] }
    return viewer.panes.growth.rows(viewer.growthKey) ?? []
  }

  func lineCount(_ viewer: Viewer) -> Int {
    let count = rows(viewer).count
    return count == 0 ? 0 : count + 1
  }

  mutating func adapt(to viewer: Viewer) {
    if revision != viewer.panes.growth.revision {
      revision = viewer.panes.growth.revision
      list = ListPosition()
    }
    list.scroll(count: rows(viewer).count, height: Self.height(viewer))
  }

  private static func height(_ viewer: Viewer) -> Int { max(1, viewer.layout.pane.count - 1) }

  private func selected(_ viewer: Viewer) -> Increase? {
    let rows = rows(viewer)
    return rows.indices.contains(list.row) ? rows[list.row] : nil
  }

  /// Returns the first subscription of the selected row, as an index in the lifecycles.
  private func first(_ viewer: Viewer) -> Int? {
    guard let first = selected(viewer)?.first, let id = SubscriptionID(first.number) else {
      return nil
    }
    return viewer.log.index(of: id, log: first.log)
  }

  // MARK: Moving

  mutating func move(_ movement: PaneMovement, in viewer: inout Viewer) {
    select(movement.target(from: list.row, count: rows(viewer).count), viewer)
  }

  mutating func click(_ position: PanePosition, in viewer: inout Viewer) {
    // The first row has the titles.
    if position.row > 0 { select(list.first + position.row - 1, viewer) }
  }

  private mutating func select(_ row: Int, _ viewer: Viewer) {
    list.go(to: row, count: rows(viewer).count, height: Self.height(viewer))
  }

  /// Goes to the first subscription in the timeline.
  mutating func open(in viewer: inout Viewer) {
    guard let selected = selected(viewer) else { return }
    guard let first = first(viewer) else {
      let name = viewer.page.safe(selected.name)
      viewer.notice = Notice(text: "the log doesn't say where the instances of \(name) were made")
      return
    }
    viewer.go(to: first)
    viewer.panes.show(.subscriptions)
    viewer.focus = .timeline
  }

  func copiedText(in viewer: Viewer) -> String? {
    selected(viewer).map { row in
      let text = PlacedText(title: title(row, viewer.page), facts: [], place: row.place)
      return viewer.page.safe(
        "\(CountText.number(row.count))  " + text.pieces.joined(separator: PlacedText.gap))
    }
  }

  func source(in viewer: Viewer) -> SourceTarget {
    if let place = selected(viewer)?.place { return .place(SourcePlace(place)) }
    return first(viewer).map { .lane(of: $0) } ?? .nothing
  }

  // MARK: Lines

  private typealias Column = ListColumn<Increase>

  private func columns(_ page: Page) -> [Column] {
    [
      Column(title: "GREW", width: 9, worth: 2) { CountText.number($0.count) },
      Column(title: "ACTIVE AT END", width: 15, worth: 1) { row in
        guard let remaining = row.remaining, remaining > 0 else { return page.glyphs.none }
        return CountText.number(remaining)
      },
    ]
  }

  private func title(_ row: Increase, _ page: Page) -> String {
    let name = page.safe(row.name)
    return switch row.kind {
    case .subscriptions: name
    case .tasks: "\(name), tasks"
    case .leakedObjects: "\(name), leaked objects"
    case .instances: "\(name), instances"
    }
  }

  /// What to show instead of a list.
  private func explanation(_ viewer: Viewer) -> String? {
    if let recording = viewer.recording {
      let start = viewer.page.duration(recording.start)
      return "recording since \(start); r ends it and lists what grew"
    }
    guard viewer.growthRange != nil else {
      return "no two marks; r sets them and lists what grew in between"
    }
    guard let rows = viewer.panes.growth.rows(viewer.growthKey) else { return "counting" }
    let place = viewer.timeline.marks.between == nil ? "" : " between the marks"
    return rows.isEmpty ? "nothing grew\(place)" + viewer.filterHint : nil
  }

  func lines(_ viewer: Viewer) -> [Line] {
    let page = viewer.page
    if let explanation = explanation(viewer) { return page.wrap(explanation, .dim) }
    let rows = rows(viewer)
    let fitting = Column.fitting(columns(page), into: page.width, nextTo: 16, minCount: 1)
    let shown = rows.indices.dropFirst(list.first).prefix(max(0, viewer.layout.pane.count - 1))
    let room = max(1, page.width - fitting.reduce(1) { $0 + $1.width })
    let names = shown.map { DisplayWidth.columns(of: title(rows[$0], page)) + PlacedText.gap.count }
    let width = min(names.max() ?? 0, room / 2)
    let head = DisplayWidth.pad("LANE", to: width) + "PLACE"
    return [line(fitting.map { ($0.width, $0.title) }, head, .dim, page)]
      + shown.map { index in
        let row = rows[index]
        let values = fitting.map { ($0.width, $0.value(row)) }
        let name = page.cutMiddle(title(row, page), to: max(1, width - PlacedText.gap.count))
        let place = row.place.map {
          PlacedText.fit(page.safe($0), to: max(1, room - width), page)
        }
        let text = DisplayWidth.pad(name, to: width) + (place ?? "")
        let isSelected = index == list.row && viewer.focus == .pane
        return line(values, text, isSelected ? .reversed : .plain, page)
      }
  }

  private func line(
    _ values: [(Int, String)], _ text: String, _ style: Style, _ page: Page
  ) -> Line {
    var line = Line()
    for (width, value) in values {
      line.append(DisplayWidth.padLeft(page.cut(value, to: width - 1), to: width - 1) + " ", style)
    }
    line.append(" " + text, style)
    if style == .reversed { line.pad(to: page.width) }
    return line.cut(to: page.width, ellipsis: page.glyphs.ellipsis)
  }
}
