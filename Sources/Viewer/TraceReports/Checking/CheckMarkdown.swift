import TraceAnalysis
import TraceWords
import ViewerConsole

/// A check result as Markdown: the verdict, and a table with a row for each finding. It is meant
/// for a job summary or a comment.
package enum CheckMarkdown {
  /// The maximum size in bytes, slightly below the limit of GitHub for a step summary.
  static let maxBytes = 1_000_000
  private static let maxPaths = 20

  package static func text(_ result: CheckResult) -> String {
    var text = "### \(sign(result)) \(ProgramInfo.name): \(cell(result.sentence))\n"
    for error in result.errors {
      text += "\n- \(cell("\(error.location): \(error.sentence)"))"
    }
    if !result.errors.isEmpty { text += "\n" }
    text += hangs(result, room: maxBytes - text.utf8.count)
    text += table(result, room: maxBytes - text.utf8.count)
    text += paths(result, room: maxBytes - text.utf8.count)
    text += stale(result, room: maxBytes - text.utf8.count)
    let notes = notes(result)
    if !notes.isEmpty { text += "\n" + notes.joined(separator: ", ") + "\n" }
    return text
  }

  private static func sign(_ result: CheckResult) -> String {
    switch result.code {
    case .clean: "✅"
    case .inconclusive: "❔"
    default: "❌"
    }
  }

  /// Returns the hangs with their places, and once who waits for whom.
  private static func hangs(_ result: CheckResult, room: Int) -> String {
    guard let first = result.hangs.first else { return "" }
    var text = "\n"
    for hang in result.hangs {
      let place = hang.location.map { " (\($0.path):\($0.line))" } ?? ""
      text += "- **\(cell(hang.name))**\(cell(place)): \(cell(hang.sentence))\n"
    }
    let fence = String(repeating: "`", count: 12)
    let details = "\n\(fence)text\n\(first.details)\(fence)\n"
    if text.utf8.count + details.utf8.count < room / 2 { text += details }
    return text
  }

  private static func table(_ result: CheckResult, room: Int) -> String {
    guard !result.groups.isEmpty else { return "" }
    let isOnlyObjects = result.groups.allSatisfy(\.isAboutObjects)
    let head = MarkdownTable(
      columns: FindingMarkdown.titles(isOnlyObjects: isOnlyObjects).map { .init(title: $0) },
      rows: [])
    let rows = result.groups.lazy.map { MarkdownTable.row($0.cells) + "\n" }
    return "\n" + head.lines.map { $0 + "\n" }.joined()
      + fitting(rows, of: result.groups.count, room: room, "finding")
  }

  /// Returns what keeps the subscriptions alive, as a list for each of the first findings.
  private static func paths(_ result: CheckResult, room: Int) -> String {
    var text = ""
    for path in result.groups.lazy.map(\.pathAsMarkdown).filter({ !$0.isEmpty }).prefix(maxPaths) {
      let list = "\n" + path.dropLast().map { $0 + "\n" }.joined()
      guard text.utf8.count + list.utf8.count < room - 1000 else { break }
      text += list
    }
    return text
  }

  private static func stale(_ result: CheckResult, room: Int) -> String {
    let stale = result.comparison.stale
    guard !stale.isEmpty else { return "" }
    let head = "\nThe baseline is out of date. `--prune-baseline` shrinks it:\n\n"
    let rows = stale.lazy.map { item in
      let rule = item.entry.fingerprint.rule
      return "- \(cell("\(rule)  \(CheckView.sentence(item, CheckedGroup.page))"))\n"
    }
    return head + fitting(rows, of: stale.count, room: room, "entry", "entries")
  }

  /// Returns as many rows as fit, followed by the number of the remaining rows.
  private static func fitting(
    _ rows: some Sequence<String>, of count: Int, room: Int, _ one: String, _ many: String? = nil
  ) -> String {
    var text = ""
    var written = 0
    for row in rows {
      guard text.utf8.count + row.utf8.count < room - 1000 else { break }
      text += row
      written += 1
    }
    guard written < count else { return text }
    return text
      + "\nand \(CountText.make(count - written, "more " + one, many.map { "more " + $0 }))\n"
  }

  private static func notes(_ result: CheckResult) -> [String] {
    var notes: [String] = []
    if let path = result.baseline {
      let known = CountText.make(result.known, "known finding")
      notes.append("\(known) ignored, listed in the baseline \(cell(path))")
    }
    if let sentence = CheckView.unknown(result) { notes.append(sentence) }
    if result.verdict.allowed > 0 {
      notes.append("\(CountText.make(result.verdict.allowed, "finding")) allowed by settings")
    }
    return notes
  }

  private static func cell(_ text: String) -> String {
    Escaping.markdownCell(text)
  }
}
