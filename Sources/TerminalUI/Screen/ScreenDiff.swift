/// The bytes that make a terminal change from one screen to another.
package enum ScreenDiff {
  static let beginUpdate = "\u{1B}[?2026h"
  static let endUpdate = "\u{1B}[?2026l"
  static let hideCursor = "\u{1B}[?25l"
  static let showCursor = "\u{1B}[?25h"

  /// Returns a whole update, to be written at once, or no bytes if nothing differs.
  ///
  /// The terminal must not wrap at the end of a line.
  ///
  /// - Parameter old: The screen that the terminal shows, or nil if it is unknown, so that
  ///   everything is drawn.
  package static func bytes(from old: Screen?, to new: Screen, depth: ColorDepth) -> [UInt8] {
    guard let old, old.columns == new.columns, old.rows == new.rows else {
      return all(of: new, depth)
    }
    var pen = ScreenPen(columns: new.columns, depth: depth)
    for row in 0..<new.rows where old.line(row) != new.line(row) {
      pen.draw(RowDiff(from: old.row(row), to: new.row(row)), row: row)
    }
    if pen.bytes.isEmpty, old.cursor == new.cursor { return [] }
    return wrapped(pen, new.cursor, cursorWasShown: old.cursor != nil)
  }

  private static func all(of new: Screen, _ depth: ColorDepth) -> [UInt8] {
    var pen = ScreenPen(columns: new.columns, depth: depth)
    pen.clear()
    let blank = ScreenRow(Line(), columns: new.columns)
    for row in 0..<new.rows {
      pen.draw(RowDiff(from: blank, to: new.row(row)), row: row)
    }
    return wrapped(pen, new.cursor, cursorWasShown: true)
  }

  private static func wrapped(
    _ pen: ScreenPen, _ cursor: Frame.Position?, cursorWasShown: Bool
  ) -> [UInt8] {
    var pen = pen
    let draws = !pen.bytes.isEmpty
    pen.finish(at: cursor)
    var bytes = Array(beginUpdate.utf8)
    if cursorWasShown, draws || cursor == nil { bytes += hideCursor.utf8 }
    bytes += pen.bytes
    if cursor != nil, draws || !cursorWasShown { bytes += showCursor.utf8 }
    bytes += endUpdate.utf8
    return bytes
  }
}
