/// The rows and columns of the screen that each view occupies.
struct ViewLayout: Equatable {
  /// The rows of the strip with the whole log. With few rows, it has only the live subscriptions.
  /// Row numbers start at 0.
  private(set) var overview = 0..<0
  private(set) var axis = 0..<0
  private(set) var timeline = 0..<0
  /// The row with the names of panes, or `nil` if the pane is hidden.
  private(set) var tabs: Int?
  private(set) var pane = 0..<0
  let footer: Int
  /// The row with the most useful keys, or `nil` if there is no room for it.
  let keys: Int?
  let labelWidth: Int
  /// The number of columns in the timeline.
  private(set) var cells: Int
  /// The column of the scroll bar, or `nil` if all lines of the timeline are visible.
  private(set) var scrollBar: Int?
  let isTooSmall: Bool

  /// How the rows are divided between the timeline and the pane.
  enum Split: Equatable, Sendable {
    /// Each part gets the rows that it needs.
    case fitting
    /// The part with the keys gets all rows.
    case whole
    /// The pane gets more rows than with `fitting`, or fewer if the number is negative.
    case shifted(by: Int)
  }

  static let gap = 1
  static let minSize = (columns: 20, rows: 5)
  /// The minimum number of rows for the timeline and the pane. With fewer rows, a pane with the
  /// focus replaces the timeline.
  static let minRowsForBoth = 16
  /// The minimum numbers of rows for one row of the overview and for both.
  private static let minRowsForOverview = (one: 12, both: 20)
  /// The minimum number of columns of labels next to the overview, if there is room for it.
  private static let minOverviewLabel = 14
  /// The minimum number of rows for the row with keys.
  static let minRowsForKeys = 20
  /// The minimum number of rows for a legend below the timeline.
  static let minRowsForLegend = 30
  /// The minimum number of columns of the timeline next to a scroll bar.
  private static let minCellsForScrollBar = 20
  /// The rows of the timeline that stay visible next to a pane with the focus.
  private static let minTimelineRows = 4
  /// The rows that stay visible of the smaller part.
  private static let minRowsOfPart = 3

  /// Creates the layout.
  ///
  /// - Parameters:
  ///   - labels: The width of the widest label in columns.
  ///   - items: The number of lines in the timeline, whether or not there is room for them.
  ///   - legend: The number of lines of the legend.
  ///   - paneLines: The number of lines of the pane, or 0 if it is not known.
  ///   - hasOverview: A Boolean value that indicates whether there is anything in the overview.
  init(
    columns: Int, rows: Int, labels: Int, items: Int, legend: Int = 0, paneLines: Int = 0,
    hasOverview: Bool = false, split: Split = .fitting, hasFocusInPane: Bool
  ) {
    isTooSmall = columns < Self.minSize.columns || rows < Self.minSize.rows
    let hasKeys = rows >= Self.minRowsForKeys && !isTooSmall
    keys = hasKeys ? rows - 1 : nil
    footer = max(0, rows - (hasKeys ? 2 : 1))
    let maxLabelWidth = max(6, columns * 3 / 10)
    let overviewRows =
      !hasOverview || rows < Self.minRowsForOverview.one
      ? 0 : rows < Self.minRowsForOverview.both ? 1 : 2
    let minLabelWidth = overviewRows > 0 ? Self.minOverviewLabel : 10
    labelWidth = min(max(labels, min(minLabelWidth, maxLabelWidth)), maxLabelWidth)
    cells = max(1, columns - labelWidth - Self.gap)
    guard !isTooSmall else { return }
    if rows < Self.minRowsForBoth || split == .whole, hasFocusInPane {
      tabs = 1
      pane = 2..<footer
      return
    }
    let axisRows = rows >= 8 ? 2 : 1
    overview = 1..<1 + overviewRows
    axis = overview.upperBound..<overview.upperBound + axisRows
    let free = footer - axis.upperBound
    // The pane gets the rows that a short timeline leaves free.
    let needed = max(4, items) + (rows >= Self.minRowsForLegend && legend > 0 ? legend + 1 : 0)
    var paneRows = max(6, free * 2 / 5, free - needed - 1)
    // A pane with the focus gets the rows that it needs.
    if hasFocusInPane {
      paneRows = max(paneRows, min(paneLines + 1, free - min(items, Self.minTimelineRows)))
    }
    switch split {
    case .fitting: break
    case .whole: paneRows = 0
    case .shifted(let distance):
      paneRows = max(Self.minRowsOfPart, min(paneRows + distance, free - Self.minRowsOfPart))
    }
    if rows < Self.minRowsForBoth { paneRows = 0 }
    timeline = axis.upperBound..<footer - paneRows
    if items > timeline.count, cells > Self.minCellsForScrollBar, !timeline.isEmpty {
      cells -= 1
      scrollBar = columns - 1
    }
    if paneRows > 0 {
      tabs = timeline.upperBound
      pane = timeline.upperBound + 1..<footer
    }
  }
}
