import TerminalUI
import TraceAnalysis
import TraceWords
import ViewerConsole

/// A line about the parts that a report leaves out because of a filter. A complete report omits the
/// line.
struct ExcerptView {
  let excerpt: LogExcerpt
  let findings: (shown: Int, all: Int)

  init(_ excerpt: LogExcerpt, _ verdict: Verdict) {
    self.excerpt = excerpt
    findings = (verdict.groups(of: excerpt).count, verdict.groups.count)
  }

  /// Returns a sentence such as `shown: 3 of 12 subscriptions and 1 of 2 findings, alive between
  /// 1.5 s and 2 s`.
  func sentence(_ page: Page) -> String? {
    guard !excerpt.hasAllSubscriptions || !excerpt.hasAllTime else { return nil }
    let shown = CountText.number(excerpt.members.count)
    var text = "shown: \(shown) of \(CountText.make(excerpt.log.lifecycles.count, "subscription"))"
    if findings.all > 0 {
      text +=
        " and \(CountText.number(findings.shown)) of "
        + CountText.make(findings.all, "finding")
    }
    if !excerpt.hasAllTime {
      let (start, end) = AxisText(page).range(from: excerpt.times.start, to: excerpt.times.end)
      text += ", alive between \(start) and \(end)"
    }
    return text
  }

  /// Returns an explanation of the numbers of lanes in a time range, or `nil` if they cover the
  /// whole time.
  func caption(_ page: Page) -> String? {
    guard !excerpt.hasAllTime else { return nil }
    let (start, end) = AxisText(page).range(from: excerpt.times.start, to: excerpt.times.end)
    return
      """
      from \(start) to \(end): starts, ends and elements in this time range, and subscriptions \
      active at its end; lifetimes and findings cover the whole logs
      """
  }

  func lines(_ page: Page) -> [Line] {
    sentence(page).map { page.wrap($0, .bold) } ?? []
  }
}
