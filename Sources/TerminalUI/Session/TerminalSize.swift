import SystemLibrary

/// How wide to write.
package enum TerminalSize {
  /// Where nobody says.
  static let usualColumns = 100

  /// What the terminal says, then what `COLUMNS` says.
  package static func columns(terminal: Int?, environment: Environment) -> Int {
    let said = terminal ?? environment["COLUMNS"].flatMap { Int($0) } ?? usualColumns
    return said > 0 ? min(max(said, 10), 1000) : usualColumns
  }

  /// The width of the terminal behind a descriptor; `nil` if there is none or it does not know.
  package static func ask(_ descriptor: Int32) -> Int? {
    askWhole(descriptor)?.columns
  }

  /// Width and height; a terminal that knows no height has 24 rows.
  static func askWhole(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    #if canImport(Darwin)
      // The macro is too intricate to be imported.
      let request: UInt = 0x4008_7468
    #else
      let request = UInt(TIOCGWINSZ)
    #endif
    guard ioctl(descriptor, request, &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : 24)
  }
}
