import TerminalUI
import ViewerConsole

extension Escaping {
  /// Returns text for use in a quoted string of Graphviz. There, a backslash begins an escape
  /// sequence, and an ampersand begins a character reference.
  static func graphvizText(_ text: String) -> String {
    replace(in: SafeText.make(text)) {
      switch $0 {
      case "\\": "\\\\"
      case "\"": "\\\""
      case "&": "&amp;"
      default: nil
      }
    }
  }
}
