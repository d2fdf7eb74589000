import ViewerConsole

/// The rows and columns of the screen that the parts of a comparison occupy.
struct ComparisonLayout: Equatable {
  /// Row numbers start at 0. With few rows, only the verdict is in the head.
  let head: Range<Int>
  private(set) var axis = 0..<0
  private(set) var list = 0..<0
  /// The row with the name of the selected lane, or nil if its detail is hidden.
  private(set) var title: Int?
  private(set) var detail = 0..<0
  let footer: Int
  /// The row with the most useful keys, or nil if there is no room for it.
  let keys: Int?
  let labelWidth: Int
  /// The number of figures that fit, from the first one.
  let figures: Int
  /// The column after the letters of the logs.
  let firstNumber: Int
  /// The column in which the timelines begin.
  let firstCell: Int
  /// The number of columns of a timeline.
  let cells: Int
  let isTooSmall: Bool

  /// The lines of a row: one for each log.
  static let rowHeight = 2
  /// The columns of the sign before a name, and of the letter of the log after it.
  static let signWidth = 2
  static let letterWidth = 2
  /// The minimum number of rows for the names of both logs.
  private static let minRowsForHead = 12

  /// The number of lanes that fit.
  var rows: Int { max(1, list.count / Self.rowHeight) }

  /// Creates the layout.
  ///
  /// - Parameters:
  ///   - labels: The columns of the widest label.
  ///   - figures: The columns of each figure, with the most important first.
  ///   - count: The number of rows, whether or not there is room for them.
  ///   - detailLines: The number of lines of the detail.
  init(
    columns: Int, rows: Int, labels: Int, figures: [Int], count: Int, detailLines: Int,
    hasFocusInDetail: Bool
  ) {
    isTooSmall = columns < ViewLayout.minSize.columns || rows < ViewLayout.minSize.rows
    keys = rows >= ViewLayout.minRowsForKeys && !isTooSmall ? rows - 1 : nil
    footer = max(0, rows - (keys == nil ? 1 : 2))
    let maxLabel = max(6, columns * 3 / 10)
    labelWidth = min(max(labels, min(10, maxLabel)), maxLabel)
    let start = Self.signWidth + labelWidth + Self.letterWidth
    // The timelines keep three tenths of the columns.
    var fitting = figures
    func used() -> Int { fitting.reduce(start + 1) { $0 + $1 + 1 } }
    while !fitting.isEmpty, columns - used() < columns * 3 / 10 { fitting.removeLast() }
    self.figures = fitting.count
    firstNumber = start
    firstCell = used()
    cells = max(1, columns - used())
    head = 0..<(rows >= Self.minRowsForHead ? 3 : 1)
    guard !isTooSmall else { return }
    if rows < ViewLayout.minRowsForBoth, hasFocusInDetail {
      title = head.upperBound
      detail = head.upperBound + 1..<footer
      return
    }
    axis = head.upperBound..<head.upperBound + (rows >= 8 ? 2 : 1)
    let free = footer - axis.upperBound
    guard rows >= ViewLayout.minRowsForBoth else {
      list = axis.upperBound..<footer
      return
    }
    // The detail gets the rows that a short list leaves free, and more with the focus.
    let needed = max(Self.rowHeight, count * Self.rowHeight)
    var room = max(5, free * 2 / 5, free - needed)
    if hasFocusInDetail {
      room = max(room, min(detailLines + 1, free - 2 * Self.rowHeight))
    }
    // A row isn't cut in half.
    let listed = (free - room) / Self.rowHeight * Self.rowHeight
    list = axis.upperBound..<axis.upperBound + listed
    title = list.upperBound
    detail = list.upperBound + 1..<footer
  }
}
