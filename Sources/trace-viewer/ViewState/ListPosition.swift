import TerminalUI

/// Which line of a list is selected, and which is the first in view.
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

  /// Moves what is in view as little as has to be.
  mutating func scroll(count: Int, height: Int) {
    row = max(0, min(row, count - 1))
    first = min(first, row)
    first = max(first, row - max(1, height) + 1)
    first = max(0, min(first, count - height))
  }
}

/// Where the lists of the pane are.
struct PaneLists: Sendable {
  /// Places in the lifecycles, in the order that was asked for.
  var members: [Int] = []
  /// What the members are those of.
  var lane: [String]?
  var subscriptions = ListPosition()
  var findings = ListPosition()
  var summary = ListPosition()
  /// The first line of the detail.
  var detail = 0
}
