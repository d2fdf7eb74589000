/// The list of panes, in the order of their tabs and keys.
enum Panes {
  static var all: [any Pane] {
    [
      SubscriptionsPane(), EventsPane(), DetailPane(), FindingsPane(), SummaryPane(), HitsPane(),
      GrowthPane(),
    ]
  }
}

// The default behavior of panes.
extension Pane {
  func subject(in viewer: Viewer) -> String? { nil }
  mutating func lineCount(_ viewer: Viewer) -> Int { 0 }
  func events(_ viewer: Viewer) -> EventRequest? { nil }
  func hits(_ viewer: Viewer) -> HitRequest? { nil }
  func preview(_ viewer: Viewer) -> SourcePlace? { nil }
  var needsStatistics: Bool { false }
  var needsGrowth: Bool { false }

  mutating func adapt(to viewer: Viewer) {}
  mutating func forgetLog() {}
  mutating func scrollToTop() {}
  mutating func point(in viewer: inout Viewer) {}
  mutating func click(_ position: PanePosition, in viewer: inout Viewer) {}
  mutating func fold(_ change: PaneFold, in viewer: inout Viewer) -> Bool { false }

  mutating func sort(in viewer: Viewer) -> PaneSorting { .ofTimeline }
  mutating func sort(by letter: Character, in viewer: Viewer) -> PaneSorting { .ofTimeline }
  var showsChoice: Bool { true }

  func copiedText(in viewer: Viewer) -> String? { SelectionText.of(viewer) }

  func source(in viewer: Viewer) -> SourceTarget {
    viewer.timeline.chosen.map { .lane(of: $0) } ?? .nothing
  }
}

extension Viewer {
  /// Shows a pane from its beginning and gives it the keys.
  mutating func show(_ pane: PaneID) {
    // Details are about the line that the user was at, even if the timeline is elsewhere.
    if focus == .pane, pane == .detail { withCurrentPane { $0.point(in: &$1) } }
    panes.show(pane)
    focus = .pane
  }

  /// Calls a function with the shown pane and the viewer.
  mutating func withCurrentPane(_ body: (inout any Pane, inout Viewer) -> Void) {
    var pane = panes.current
    body(&pane, &self)
    panes.replace(pane)
  }
}

/// A column of a list in a pane.
struct ListColumn<Row> {
  var title: String
  /// The capital letter of the title whose key sorts by the column.
  var letter: Character?
  /// The name of the column in messages, if the title is not enough.
  var name: String?
  let width: Int
  /// The priority of the column. Columns with a lower one are dropped first if there is not enough
  /// room.
  let worth: Int
  var isNumber = true
  /// Returns the value by which the rows are sorted, the highest first; `nil` if they are not
  /// sorted by this column.
  var rank: ((Row) -> UInt64)?
  let value: (Row) -> String

  /// Returns the columns that fit next to content of a given width. The `minCount` columns with the
  /// highest priority always stay.
  static func fitting(
    _ columns: [ListColumn], into width: Int, nextTo room: Int, minCount: Int = 0
  ) -> [ListColumn] {
    var columns = columns
    while columns.reduce(room, { $0 + $1.width }) > width, columns.count > minCount,
      let worth = columns.map(\.worth).min()
    {
      columns.removeAll { $0.worth == worth }
    }
    return columns
  }
}
