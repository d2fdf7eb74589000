package import TerminalUI
import TraceAnalysis
import TraceWords
package import ViewerConsole

/// The text output of a check: the findings, the stale entries of the baseline, and the verdict
/// last.
package struct CheckView {
  private let result: CheckResult

  /// The maximum number of stale entries that are listed one by one.
  private static let maxStale = 20

  package init(_ result: CheckResult) {
    self.result = result
  }

  package func lines(_ page: Page) -> [Line] {
    let findings = findings(page)
    return (findings.isEmpty ? [] : [Line("FINDINGS", .bold)] + findings + [Line()]) + verdict(page)
  }

  /// Returns the findings without a heading, one after the other.
  package func findings(_ page: Page) -> [Line] {
    FindingsView(
      result.log, result.groups.map(\.group), sources: result.groups.first?.sources
    ).lines(page)
  }

  /// Returns everything after the findings. The verdict is last.
  package func verdict(_ page: Page) -> [Line] {
    // The report about a hang is printed as soon as it is found.
    guard !result.log.logs.isEmpty else { return [] }
    return stale(page) + baseline(page) + result.verdictView.lines(page)
  }

  private func stale(_ page: Page) -> [Line] {
    let stale = result.comparison.stale
    guard let path = result.baseline, !stale.isEmpty else { return [] }
    let style = result.staleFails ? Glyphs.suspectStyle : Style(color: .yellow, isBold: true)
    var lines = stale.prefix(CheckView.maxStale).map { item -> Line in
      var line = Line("stale[\(page.safe(item.entry.fingerprint.rule))]", style)
      line.append("  " + CheckView.sentence(item, page))
      return line
    }
    let others = stale.count - CheckView.maxStale
    if others > 0 { lines.append(Line("and \(CountText.number(others)) more", .dim)) }
    // The text is never broken into lines, because a path or a lane must not start a line.
    lines.append(
      Line("    Shrink the baseline with --prune-baseline --baseline=\(page.safe(path))"))
    return lines
  }

  /// Returns a sentence about a baseline entry that is no longer true.
  static func sentence(_ stale: Baseline.Stale, _ page: Page) -> String {
    let entry = stale.entry
    let location = [entry.fingerprint.lane, entry.fingerprint.file, entry.fingerprint.function]
      .filter { !$0.isEmpty }.map { page.cutMiddle(page.safe($0), to: 60) }
      .joined(separator: "  ")
    let found = stale.found == 0 ? "none was" : "only \(CountText.number(stale.found))"
    let were = stale.found == 0 ? "" : stale.found == 1 ? " was" : " were"
    return "\(location): the baseline has \(CountText.number(entry.count)), \(found)\(were) found"
  }

  /// Returns a sentence about the entries of the baseline that nothing is known about; `nil` if
  /// everything is known.
  static func unknown(_ result: CheckResult) -> String? {
    guard result.unknown > 0 else { return nil }
    let entries = CountText.make(result.unknown, "baseline entry", "baseline entries")
    return result.unknown == 1
      ? "\(entries) is about a lane that did not occur, and stays"
      : "\(entries) are about lanes that did not occur, and stay"
  }

  private func baseline(_ page: Page) -> [Line] {
    var lines: [Line] = []
    if let path = result.baseline {
      let known = CountText.make(result.known, "known finding")
      lines.append(Line("\(known) ignored, listed in the baseline \(page.safe(path))", .dim))
    }
    if let sentence = CheckView.unknown(result) { lines.append(Line(sentence, .dim)) }
    if result.verdict.allowed > 0 {
      let allowed = CountText.make(result.verdict.allowed, "finding")
      lines.append(Line("\(allowed) ignored, allowed by settings", .dim))
    }
    if let note = result.note { lines.append(Line(page.safe(note))) }
    return lines
  }
}
