import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// A subscription as a sequence of signs with times.
struct MarbleRow {
  enum Sign {
    case begin
    /// A number of elements, and the text of the first few, made safe.
    case marble(Int, [String])
    case end
  }

  let items: [(time: UInt64, sign: Sign)]
  let state: Lifecycle.State
  /// A Boolean value that indicates whether the subscription is already alive at the start of the
  /// diagram.
  let beginsBefore: Bool
  /// A Boolean value that indicates whether the subscription continues after the end of the
  /// diagram.
  let continuesAfterDiagram: Bool
  private let error: String
  private let page: Page

  init(_ row: MarbleDiagram.Row, _ window: TimeRange, _ page: Page) {
    self.page = page
    state = row.state
    beginsBefore = row.begin == nil
    continuesAfterDiagram = row.end == nil
    error = page.safe(row.error ?? "")
    var items: [(time: UInt64, sign: Sign)] = []
    items.append(((row.begin ?? window.start).count, .begin))
    items += row.marbles.map { marble in
      (marble.time.count, .marble(marble.count, marble.texts.map { page.safe($0) }))
    }
    let end = (row.end ?? window.end).count
    // An element at the same time came before the end. An element at a later time violates the
    // protocol.
    let index = items.firstIndex { $0.time > end } ?? items.count
    items.insert((end, .end), at: index)
    self.items = items
  }

  /// Returns the contents of the columns. The signs of one column are next to each other, or
  /// folded.
  func cells(
    _ spans: [ClosedRange<UInt64>], valueWidth: Int
  ) -> [(column: Int, cell: MarbleColumns.Cell)] {
    var cells: [(column: Int, cell: MarbleColumns.Cell)] = []
    var column = 0
    var count = 0
    var texts: [String] = []
    func append(_ text: String, _ style: Style, folds: Bool = false) {
      if cells.last?.column != column { cells.append((column, .init())) }
      cells[cells.count - 1].cell.append(text, style, folds: folds)
    }
    func flush() {
      guard count > 0 else { return }
      let (text, folds) = text(of: count, texts, valueWidth)
      append(text, .bold, folds: folds)
      count = 0
      texts.removeAll()
    }
    for (time, sign) in items {
      while column < spans.count - 1, time > spans[column].upperBound {
        flush()
        column += 1
      }
      switch sign {
      case .begin: break
      case .marble(let more, let first):
        count += more
        if texts.count < Marble.maxTexts { texts += first }
      case .end:
        flush()
        if continuesAfterDiagram { break }
        let words = page.cut(error, to: valueWidth)
        append(MarbleSymbols.end(state, error: words), Glyphs.style(state))
      }
    }
    flush()
    return cells
  }

  /// Returns elements side by side if they are few and short, and otherwise their number.
  private func text(of count: Int, _ texts: [String], _ valueWidth: Int) -> (String, folds: Bool) {
    if texts.count == count, count <= Marble.maxTexts {
      let text = texts.map { MarbleSymbols.element(page.cut($0, to: valueWidth)) }.joined()
      if count == 1 || DisplayWidth.columns(of: text) <= valueWidth + 4 { return (text, false) }
    }
    return (MarbleSymbols.elements(count), true)
  }

  /// Returns the columns in which the subscription is alive.
  func life(_ spans: [ClosedRange<UInt64>]) -> ClosedRange<Int> {
    func column(_ time: UInt64) -> Int {
      spans.firstIndex { time <= $0.upperBound } ?? spans.count - 1
    }
    guard let begin = items.first(where: { if case .begin = $0.sign { true } else { false } }),
      let end = items.first(where: { if case .end = $0.sign { true } else { false } })
    else { return 0...0 }
    let first = beginsBefore ? 0 : column(begin.time)
    return first...max(first, column(end.time))
  }
}

/// The signs of marble diagrams, in the notation of the documentation. They do not depend on
/// `--ascii`.
///
///     ---[J]---[Ji]---[Jim]---|
enum MarbleSymbols {
  static let time = "-"
  static let alive = ">"

  /// Returns the sign of an element.
  static func element(_ text: String) -> String { "[\(text)]" }

  /// Returns the sign for a number of elements that do not fit.
  static func elements(_ count: Int) -> String { "[x\(count)]" }

  static func end(_ state: Lifecycle.State, error: String) -> String {
    switch state {
    case .active: alive
    case .completed: "|"
    case .failed: "X(\(error))"
    case .disposed: "^"
    case .released: "~"
    }
  }

  /// Returns the meanings of the signs that occur.
  static func legend(_ diagram: MarbleDiagram, hasFolds: Bool, _ page: Page) -> [Line] {
    var entries: [Line] = []
    func add(_ sign: String, _ meaning: String, _ style: Style = .bold) {
      var line = Line(sign, style)
      line.append(" " + meaning)
      entries.append(line)
    }
    if diagram.rows.contains(where: { !$0.marbles.isEmpty }) { add("[a]", "an element") }
    if hasFolds { add("[x12]", "that many elements") }
    let names: [(Lifecycle.State, String)] = [
      (.completed, "completed"), (.failed, "failed"), (.disposed, "disposed"),
      (.released, "released"), (.active, "still active"),
    ]
    for (state, name) in names
    where diagram.rows.contains(where: { $0.state == state && $0.end != nil }) {
      add(end(state, error: "error"), name, Glyphs.style(state))
    }
    return page.flow(entries, separator: "   ")
  }
}
