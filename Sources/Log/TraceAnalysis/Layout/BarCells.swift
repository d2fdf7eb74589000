/// A row of bars drawn into cells: the sign that each cell shows.
///
/// Several bars may share a cell if the row was packed by time. The cell then shows what matters
/// most to readers.
package struct BarCells: Sendable {
  package enum Sign: Equatable, Sendable {
    case nothing
    case line
    case start
    /// The end of a bar, or the last moment of a subscription that is still active.
    case end
    /// The last moment of a suspected leak.
    case suspect
    case elements(Int)
    /// A part of the line of a task.
    case task(TaskCell)
  }

  package struct Cell: Sendable {
    package fileprivate(set) var sign = Sign.nothing
    /// The bar that the sign belongs to, or nil for a cell without a bar.
    package fileprivate(set) var bar: Timeline.Bar?
    fileprivate var rank = Rank.nothing
    fileprivate var ends = 0
  }

  /// The priority of a sign. If several share a cell, the one with the highest priority is shown.
  fileprivate enum Rank: Int {
    case nothing, line, start, end, failure, suspect
  }

  private var cells: [Cell]

  package init(columns: Int) {
    cells = Array(repeating: Cell(), count: columns)
  }

  /// Draws a bar. If signs have the same priority, that of the later bar is shown.
  package mutating func add(_ bar: Timeline.Bar) {
    for (offset, column) in bar.columns.enumerated() {
      put(bar.task.isEmpty ? .line : .task(bar.task[offset]), .line, column, bar)
    }
    if !bar.isCutLeft { put(.start, .start, bar.columns.lowerBound, bar) }
    guard !bar.isCutRight else { return }
    let last = bar.columns.upperBound
    cells[last].ends += 1
    if bar.isSuspect {
      put(.suspect, .suspect, last, bar)
    } else {
      put(.end, bar.state == .failed ? .failure : .end, last, bar)
    }
  }

  private mutating func put(_ sign: Sign, _ rank: Rank, _ column: Int, _ bar: Timeline.Bar) {
    guard rank.rawValue >= cells[column].rank.rawValue else { return }
    cells[column].sign = sign
    cells[column].rank = rank
    cells[column].bar = bar
  }

  /// Returns the cells with the elements in them.
  ///
  /// - Parameter elements: The number of elements in each column.
  package func cells(elements: [Int]) -> [Cell] {
    var cells = cells
    for column in cells.indices where elements[column] > 0 {
      // A single end keeps its sign. If there are several, the number of elements is more useful.
      guard cells[column].rank.rawValue < Rank.failure.rawValue, cells[column].ends != 1 else {
        continue
      }
      cells[column].sign = .elements(elements[column])
    }
    return cells
  }
}
