/// The rows and columns of the screen that each view occupies.
struct ViewLayout: Equatable {
  /// Row numbers start at 0.
  private(set) var axis = 0..<0
  private(set) var timeline = 0..<0
  /// The row with the names of panes, or `nil` if the pane is hidden.
  private(set) var tabs: Int?
  private(set) var pane = 0..<0
  let footer: Int
  let labelWidth: Int
  /// The number of columns in the timeline.
  let cells: Int
  let isTooSmall: Bool

  static let gap = 1
  static let minSize = (columns: 20, rows: 5)
  /// The minimum number of rows for the timeline and the pane. With fewer rows, a pane with the
  /// focus replaces the timeline.
  static let minRowsForBoth = 16

  /// Creates the layout.
  ///
  /// - Parameters:
  ///   - labels: The width of the widest label in columns.
  ///   - items: The number of lines in the timeline, whether or not there is room for them.
  init(columns: Int, rows: Int, labels: Int, items: Int, hasFocusInPane: Bool) {
    isTooSmall = columns < Self.minSize.columns || rows < Self.minSize.rows
    footer = max(0, rows - 1)
    let maxLabelWidth = max(6, columns * 3 / 10)
    labelWidth = min(max(labels, min(10, maxLabelWidth)), maxLabelWidth)
    cells = max(1, columns - labelWidth - Self.gap)
    guard !isTooSmall else { return }
    if rows < Self.minRowsForBoth, hasFocusInPane {
      tabs = 1
      pane = 2..<footer
      return
    }
    let axisRows = rows >= 8 ? 2 : 1
    axis = 1..<1 + axisRows
    let free = footer - axis.upperBound
    // The pane gets the rows that a short timeline leaves free.
    let paneRows = rows >= Self.minRowsForBoth ? max(6, free * 2 / 5, free - max(4, items) - 1) : 0
    timeline = axis.upperBound..<footer - paneRows
    if paneRows > 0 {
      tabs = timeline.upperBound
      pane = timeline.upperBound + 1..<footer
    }
  }
}
