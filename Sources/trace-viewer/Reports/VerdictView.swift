internal import ReactiveTrace

/// What the log proves, in one sentence.
struct VerdictView {
  let verdict: Verdict
  let log: LogAnalysis

  /// The exact words for a log with nothing to find fault with.
  static let clean = "no undisposed subscriptions"

  /// - Parameter name: the log to speak of, where there are several.
  func lines(_ page: Page, name: String?) -> [Line] {
    let prefix = name.map { page.safe($0) + ": " } ?? ""
    let count = CountText.make(verdict.findings.count, "subscription")
    switch verdict.outcome {
    case .clean:
      return page.wrap(prefix + VerdictView.clean, Style(color: .green))
    case .findings:
      let undisposed = CountText.make(verdict.findings.count, "undisposed subscription")
      return page.wrap(prefix + undisposed, Glyphs.suspectStyle)
    case .inconclusive:
      let reasons = verdict.doubts.map(LogSentences.doubt).joined(separator: ", and ")
      let active =
        verdict.findings.isEmpty ? "" : "; \(count) still active when the log stops"
      return page.wrap(prefix + "inconclusive: " + reasons + active, Style(color: .yellow))
    }
  }
}
