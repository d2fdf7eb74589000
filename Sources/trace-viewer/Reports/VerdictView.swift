internal import ReactiveTrace

/// What the log proves, in one sentence, which is never broken into lines: scripts look for its words.
struct VerdictView {
  let verdict: Verdict

  /// The exact words for a log with nothing to find fault with.
  static let clean = "no undisposed subscriptions"

  /// - Parameter name: the log to speak of, where there are several.
  func lines(_ page: Page, name: String?) -> [Line] {
    let prefix = name.map { page.safe($0) + ": " } ?? ""
    let count = CountText.make(verdict.findings.count, "subscription")
    switch verdict.outcome {
    case .clean:
      return [Line(prefix + VerdictView.clean, Style(color: .green))]
    case .findings:
      let undisposed = CountText.make(verdict.findings.count, "undisposed subscription")
      return [Line(prefix + undisposed, Glyphs.suspectStyle)]
    case .inconclusive:
      let reasons = verdict.doubts.map(LogSentences.doubt).joined(separator: ", and ")
      let active =
        verdict.findings.isEmpty ? "" : "; \(count) still active when the log stops"
      return [Line(prefix + "inconclusive: " + reasons + active, Style(color: .yellow))]
    }
  }
}
