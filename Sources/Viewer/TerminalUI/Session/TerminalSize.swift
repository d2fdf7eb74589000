import SystemLibrary

/// The size of the terminal to write for.
package enum TerminalSize {
  /// The number of columns if nothing else specifies it.
  static let usualColumns = 100

  /// Returns the number of columns that the terminal reports, or else the value of `COLUMNS`.
  package static func columns(terminal: Int?, environment: Environment) -> Int {
    let width = terminal ?? environment["COLUMNS"].flatMap { Int($0) } ?? usualColumns
    return width > 0 ? min(max(width, 10), 1000) : usualColumns
  }

  /// Returns the width of the terminal of a descriptor, or `nil` if the descriptor isn't a terminal
  /// or the terminal doesn't report its width.
  package static func columns(of descriptor: Int32) -> Int? {
    size(of: descriptor)?.columns
  }

  /// Returns the width and height of the terminal. A terminal that does not report its height has
  /// 24 rows.
  static func size(of descriptor: Int32) -> (columns: Int, rows: Int)? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    #if canImport(Darwin)
      // The macro is too complex for Swift to import.
      let request: UInt = 0x4008_7468
    #else
      let request = UInt(TIOCGWINSZ)
    #endif
    guard ioctl(descriptor, request, &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : 24)
  }
}
