import TerminalUI
package import ViewerConsole

extension CheckFormat {
  /// Returns the whole text of a file in this format.
  package func text(_ result: CheckResult, _ page: Page) -> String {
    switch self {
    case .text:
      CheckView(result).lines(page).map { $0.render(color: false, setsColumn: false) + "\n" }
        .joined()
    case .json: CheckJSON.text(result)
    case .junit: CheckJUnit.text(result)
    case .sarif: CheckSARIF.text(result)
    case .github: CheckGitHub.text(result)
    case .gitlab: CheckGitLab.text(result)
    case .dot: CheckDot.text(result)
    case .markdown: CheckMarkdown.text(result)
    }
  }
}
