/// What a screen shows, from top to bottom.
struct Frame: Equatable, Sendable {
  /// At most as many as the terminal has rows, none of them wider than it is.
  var lines: [Line]
  /// Where text is typed, from 0; nil hides the cursor.
  var cursor: Position?

  struct Position: Equatable, Sendable {
    var row: Int
    var column: Int
  }

  init(_ lines: [Line] = [], cursor: Position? = nil) {
    self.lines = lines
    self.cursor = cursor
  }
}
