import TerminalUI

/// The selected line of a list and the first visible one.
struct ListPosition: Equatable, Sendable {
  private(set) var row = 0
  private(set) var first = 0

  mutating func move(by distance: Int, count: Int, height: Int) {
    go(to: row + distance, count: count, height: height)
  }

  mutating func go(to row: Int, count: Int, height: Int) {
    self.row = max(0, min(row, count - 1))
    scroll(count: count, height: height)
  }

  /// Scrolls no more than necessary.
  mutating func scroll(count: Int, height: Int) {
    row = max(0, min(row, count - 1))
    first = min(first, row)
    first = max(first, row - max(1, height) + 1)
    first = max(0, min(first, count - height))
  }
}

/// The positions of the lists in the pane.
struct PaneLists: Sendable {
  /// The indices in the lifecycles, in the requested order.
  var members: [Int] = []
  /// The key of the lane that the members belong to.
  var lane: [String]?
  var subscriptions = ListPosition()
  var findings = ListPosition()
  var summary = ListPosition()
  /// The first visible line of the detail.
  var detail = 0
}
