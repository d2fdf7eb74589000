import TerminalUI
import ViewerConsole

extension Escaping {
  /// Returns the message of a GitHub workflow command, which follows its last `::`. Each line is
  /// made safe, because the log shows it verbatim and interprets color codes. The lines are kept.
  static func workflowData(_ text: String) -> String {
    workflow(SafeText.makeLines(text), isProperty: false)
  }

  /// Returns the value of a property of a GitHub workflow command, such as `file` or `title`, made
  /// safe, on one line.
  static func workflowProperty(_ text: String) -> String {
    workflow(SafeText.make(text), isProperty: true)
  }

  private static func workflow(_ safe: String, isProperty: Bool) -> String {
    replace(in: safe) { scalar in
      switch scalar {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      case ":" where isProperty: "%3A"
      case "," where isProperty: "%2C"
      default: nil
      }
    }
  }
}
