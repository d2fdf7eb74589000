/// An input from a terminal.
package enum TerminalInput: Hashable, Sendable {
  case key(KeyPress)
  case mouse(MousePress)
  /// Pasted text, unchanged. Nobody typed it, so nothing in it is a command.
  case paste(String)
}
