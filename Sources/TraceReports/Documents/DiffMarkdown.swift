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
      (\(DiffView.size(of: diff.old.log))) and \
      \(cell(diff.new.name)) (\(DiffView.size(of: diff.new.log))).
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
    var lines = [
      "| Lane | | Subscriptions | Still active | Elements | Median life |",
      "| --- | --- | --- | --- | --- | --- |",
    ]
    let duration = DurationText(isASCII: false)
    for lane in lanes.prefix(DiffMarkdown.maxRows) {
      let cells = [
        cell(lane.name), lane.change.rawValue, change(lane.old?.started, lane.new?.started),
        change(lane.old?[.active], lane.new?[.active]),
        change(lane.old?.elements, lane.new?.elements),
        lane.lives.map { "\(duration($0.old)) → \(duration($0.new))" } ?? "",
      ]
      lines.append("| " + cells.joined(separator: " | ") + " |")
    }
    return lines + more(lanes.count, "lane") + [""]
  }

  private var findings: [String] {
    let suspects = diff.comparison.suspects
    guard !suspects.isEmpty else { return [] }
    var lines = [
      "| Finding | | Rule | Lane | Source | What is wrong |",
      "| --- | --- | --- | --- | --- | --- |",
    ]
    let duration = DurationText(isASCII: false)
    for suspect in suspects.prefix(DiffMarkdown.maxRows) {
      let isNew = !suspect.added.isEmpty
      let sentence = suspect.added.last?.sentence.text(
        text: { $0 }, duration: { duration($0) }, count: { CountText.make($0, $1) })
      let level = suspect.isProven ? suspect.level.rawValue : "unproven"
      let cells = [
        isNew ? "new" : "fixed", CountText.number(isNew ? suspect.added.count : suspect.fixed),
        "\(level)\\[\(suspect.fingerprint.rule)\\]",
        cell(suspect.fingerprint.lane), cell(suspect.source ?? ""), cell(sentence ?? ""),
      ]
      lines.append("| " + cells.joined(separator: " | ") + " |")
    }
    return lines + more(suspects.count, "finding") + [""]
  }

  private func more(_ count: Int, _ word: String) -> [String] {
    let hidden = count - min(count, DiffMarkdown.maxRows)
    return hidden > 0 ? ["", "and \(CountText.make(hidden, "more \(word)"))"] : []
  }

  private func change(_ old: Int?, _ new: Int?) -> String {
    (old ?? 0) == (new ?? 0)
      ? "" : "\(CountText.number(old ?? 0)) → \(CountText.number(new ?? 0))"
  }

  private func cell(_ text: String) -> String {
    Escaping.markdownCell(text)
  }
}
