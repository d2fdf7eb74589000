import TerminalUI
import TraceAnalysis
import TraceWords
import ViewerConsole

/// The differences between two logs as Markdown, for a comment on a change.
struct DiffMarkdown {
  let diff: LogDiff

  /// The maximum number of rows in a table. Comments have a limited length.
  private static let maxRows = 200

  var text: String {
    var lines = ["**\(Escaping.markdownCell(diff.sentence))**", ""]
    lines += [
      """
      Compared: \(cell(diff.old.name)) \
      (\(LogSentences.size(of: diff.old.log))) and \
      \(cell(diff.new.name)) (\(LogSentences.size(of: diff.new.log))).
      """,
      "",
    ]
    return (lines + lanes + findings).joined(separator: "\n") + "\n"
  }

  private var lanes: [String] {
    let lanes = diff.comparison.lanes
    guard !lanes.isEmpty else {
      return [
        "\(CountText.make(diff.comparison.unchangedLanes, "lane")) unchanged.", "",
      ]
    }
    let titles = LaneFigure.allCases.map(\.title) + ["Median life"]
    var lines = [
      "| Lane | | " + titles.joined(separator: " | ") + " |",
      "| --- | --- |" + titles.map { _ in " --- |" }.joined(),
    ]
    let page = Page(width: .max / 2, glyphs: .unicode)
    for lane in lanes.prefix(DiffMarkdown.maxRows) {
      let cells =
        [cell(lane.title), lane.change.rawValue]
        + LaneFigure.allCases.map { change($0.values(of: lane)) }
        + [LaneFigure.lives(of: lane, page) ?? ""]
      lines.append("| " + cells.joined(separator: " | ") + " |")
    }
    return lines + more(lanes.count, "lane") + [""]
  }

  private var findings: [String] {
    let changes = diff.comparison.changes
    guard !changes.isEmpty else { return [] }
    var lines = [
      "| Change | Finding | Id | Lane | Where | What |",
      "| --- | --- | --- | --- | --- | --- |",
    ]
    for change in changes.prefix(DiffMarkdown.maxRows) {
      let group = change.group
      let log = diff.log(of: change)
      let words = FindingWords(log: log, page: Page(width: .max / 2, glyphs: .unicode))
      let location = FindingLocation(of: group.findings[0].lifecycle, in: log, .none)
      let what = [words.message(of: group), group.findings[0].advice].filter { !$0.isEmpty }
      let cells =
        [
          change.words, "\(change.severity.rawValue): \(group.fingerprint.rule)",
          group.id.description, group.site.lane, "\(location.path):\(location.line)",
        ].map(cell) + [what.map(cell).joined(separator: "<br>")]
      lines.append("| " + cells.joined(separator: " | ") + " |")
    }
    return lines + more(changes.count, "finding") + [""]
  }

  private func more(_ count: Int, _ word: String) -> [String] {
    let hidden = count - min(count, DiffMarkdown.maxRows)
    return hidden > 0 ? ["", "and \(CountText.make(hidden, "more \(word)"))"] : []
  }

  private func change(_ values: (old: Int, new: Int)) -> String {
    values.old == values.new
      ? "" : "\(CountText.number(values.old)) → \(CountText.number(values.new))"
  }

  private func cell(_ text: String) -> String {
    Escaping.markdownCell(text)
  }
}
