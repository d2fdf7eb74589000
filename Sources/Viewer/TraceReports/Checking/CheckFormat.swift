import TerminalUI
package import ViewerConsole

/// The limits of a check result as JSON for a reader with little room.
package struct BriefLimits {
  let tokens: Int
  let fence: ValueFence?

  /// - Parameters:
  ///   - tokens: The maximum number of tokens of four bytes.
  ///   - fence: The fence around values of the log; nil to leave them out.
  package init(tokens: Int, fence: ValueFence?) {
    self.tokens = tokens
    self.fence = fence
  }
}

extension CheckFormat {
  /// Returns the whole text of a file in this format.
  ///
  /// - Parameter brief: The limits of JSON for a reader with little room; nil for all of it.
  package func text(_ result: CheckResult, _ page: Page, brief: BriefLimits? = nil) -> String {
    switch self {
    case .text:
      CheckView(result).lines(page).map { $0.render(color: false, setsColumn: false) + "\n" }
        .joined()
    case .json:
      brief.map { CheckBrief(result: result, budget: $0.tokens, fence: $0.fence).text }
        ?? CheckJSON.text(result)
    case .junit: CheckJUnit.text(result)
    case .sarif: CheckSARIF.text(result)
    case .github: CheckGitHub.text(result)
    case .gitlab: CheckGitLab.text(result)
    case .dot: CheckDot.text(result)
    case .markdown: CheckMarkdown.text(result)
    }
  }
}
