/// What came from a terminal.
package enum TerminalInput: Hashable, Sendable {
  case key(KeyPress)
  case mouse(MousePress)
  /// Text that was pasted, as it was: nobody typed it, so nothing in it is a command.
  case paste(String)
}
