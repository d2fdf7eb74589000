import TerminalUI
import TraceAnalysis
import TraceFormat
import ViewerConsole

/// The state of the view of two logs. `update` changes it, and `ComparisonScreen` draws it.
package struct ComparisonViewer: Noticing, Sendable {
  /// A search for the rows that a query selects.
  struct Search: Sendable {
    let query: Query
    /// The rows, ascending, or nil until they are found. Some may be hidden.
    var hits: [Int]?
    /// A Boolean value that indicates whether a log can't be read any more.
    var hasFailed = false
  }

  let logs: ComparedLogs
  var terminal: TerminalState
  /// The selected row and the first visible one.
  var list = ListPosition()
  /// The lines of the detail. They are made only when something else is selected, because a finding
  /// can be about a million subscriptions.
  private(set) var detail: [Line] = []
  /// The row and the width that the detail is for.
  private var detailKey: DetailKey?
  /// The first visible line of the detail.
  var firstDetail = 0
  var focus = Focus.timeline
  var window: VisibleRange
  /// The selected time.
  var cursor = Nanoseconds.zero
  /// A Boolean value that indicates whether rows without differences are hidden.
  var hidesSame = false
  var search: Search?
  var prompt: Prompt?
  var history = PromptHistory()
  /// The row that was selected when the prompt opened.
  var searchStart = 0
  var help = HelpState()
  /// The message on the last line until the next key.
  var notice: Notice?

  package init(_ logs: ComparedLogs, _ terminal: TerminalState) {
    self.logs = logs
    self.terminal = terminal
    window = .all(lasting: logs.duration)
  }

  var page: Page { terminal.page }
  /// The number of shown rows. Rows that differ come first.
  var count: Int { hidesSame ? logs.differing : logs.rows.count }
  var selected: ComparedLogs.Row? { list.row < count ? logs.rows[list.row] : nil }
  /// The shown rows that the search has found.
  var hits: [Int] { search?.hits?.filter { $0 < count } ?? [] }
  var all: VisibleRange { .all(lasting: logs.duration) }

  var layout: ComparisonLayout {
    ComparisonLayout(
      columns: terminal.columns, rows: terminal.rows, labels: logs.labelColumns,
      figures: logs.figures.map(\.columns), count: count, detailLines: detail.count,
      hasFocusInDetail: focus == .pane)
  }

  private struct DetailKey: Equatable {
    let row: Int
    let columns: Int
  }

  /// Makes the detail of the selected row.
  mutating func updateDetail() {
    let key = selected.map { _ in DetailKey(row: list.row, columns: terminal.columns) }
    guard key != detailKey else { return }
    // If a filter hides the selected row, the detail of the new one begins with its first line.
    if key?.row != detailKey?.row { firstDetail = 0 }
    detailKey = key
    detail = selected.map { ComparisonDetail($0, logs.diff, page).lines } ?? []
  }
}
