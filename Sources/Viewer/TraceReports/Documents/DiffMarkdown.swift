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
    let page = Page(width: .max / 2, glyphs: .unicode)
    let table = MarkdownTable(
      columns: (["Lane", ""] + titles).map { .init(title: $0) },
      rows: lanes.prefix(DiffMarkdown.maxRows).map { lane in
        [cell(lane.title), lane.change.rawValue]
          + LaneFigure.allCases.map { change($0.values(of: lane)) }
          + [LaneFigure.lives(of: lane, page) ?? ""]
      })
    return table.lines + more(lanes.count, "lane") + [""]
  }

  private var findings: [String] {
    let changes = diff.comparison.changes
    guard !changes.isEmpty else { return [] }
    let table = MarkdownTable(
      columns: (["Change"] + FindingMarkdown.titles(isOnlyObjects: false)).map {
        .init(title: $0)
      },
      rows: changes.prefix(DiffMarkdown.maxRows).map { change in
        let log = diff.log(of: change)
        let location = FindingLocation(of: change.group.findings[0].lifecycle, in: log, .none)
        return [cell(change.words)]
          + FindingMarkdown(log: log, page: Page(width: .max / 2, glyphs: .unicode))
          .cells(
            change.group, place: "\(location.path):\(location.line)", severity: change.severity)
      })
    return table.lines + more(changes.count, "finding") + [""]
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
