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
  func lineCount(_ viewer: Viewer) -> Int { 0 }
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
