package import TerminalUI
package import TraceAnalysis
import TraceWords
package import ViewerConsole

/// The description of a rule, in the words of the rule, with the settings that users can change.
package struct RuleView {
  let rule: any Rule

  package init(rule: any Rule) {
    self.rule = rule
  }

  private static let indent = 2

  package func lines(_ page: Page) -> [Line] {
    var title = Line(rule.id, .bold)
    title.append("  \(rule.level.rawValue)", RuleView.style(rule.level))
    var lines = [title.cut(to: page.width, ellipsis: page.glyphs.ellipsis)]
    lines += page.wrap(rule.summary) + [Line()]
    for paragraph in RuleView.paragraphs(rule.explanation) {
      lines += page.wrap(paragraph) + [Line()]
    }
    lines += thresholds(page)
    return lines + settings(page)
  }

  /// Returns a list of all rules, with one or two lines for each.
  package static func list(_ page: Page) -> [Line] {
    let width = RuleBook.rules.map(\.id.utf8.count).max() ?? 0
    var lines: [Line] = []
    for rule in RuleBook.rules {
      let level = DisplayWidth.pad(rule.level.rawValue, to: 7)
      let name = DisplayWidth.pad(rule.id, to: width)
      // On a narrow page, the sentence has a line of its own.
      let column = name.utf8.count + level.utf8.count + 6
      let isNarrow = column + 24 > page.width
      let indent = isNarrow ? min(4, page.width / 4) : column
      var first = Line("  \(name)", .bold)
      first.append("  \(level)", style(rule.level))
      var sentence = page.wrap(rule.summary, indent: indent)
      if isNarrow {
        lines.append(first.cut(to: page.width, ellipsis: page.glyphs.ellipsis))
      } else if let words = sentence.first?.text {
        first.append("  " + words.drop { $0 == " " })
        sentence[0] = first
      }
      lines += sentence
    }
    return lines + [Line()]
      + page.wrap("'\(ProgramInfo.name) explain RULE' explains a rule and its settings.")
  }

  private static func style(_ level: RuleLevel) -> Style {
    level == .error ? Glyphs.suspectStyle : Style(color: .yellow, isBold: true)
  }

  /// Returns the paragraphs, which are separated by empty lines.
  private static func paragraphs(_ text: String) -> [String] {
    var paragraphs: [[Substring]] = [[]]
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty {
        paragraphs.append([])
      } else {
        paragraphs[paragraphs.count - 1].append(line)
      }
    }
    return paragraphs.filter { !$0.isEmpty }.map { $0.joined(separator: " ") }
  }

  private func thresholds(_ page: Page) -> [Line] {
    guard !rule.thresholds.isEmpty else { return [] }
    var lines = [Line("THRESHOLDS", .bold)]
    for threshold in rule.thresholds {
      let value = RuleView.number(threshold.value)
      lines += page.wrap(
        "\(threshold.name): \(threshold.meaning). The default is \(value) \(threshold.unit).",
        indent: page.indent(RuleView.indent))
    }
    return lines + [Line()]
  }

  private func settings(_ page: Page) -> [Line] {
    var rows: [(option: String, meaning: String)] = [
      ("--rule=\(rule.id)=off", "Turn the rule off.")
    ]
    for level in [RuleLevel.warning, .error] where level != rule.level {
      rows.append(("--rule=\(rule.id)=\(level.rawValue)", "Treat findings as \(level.rawValue)s."))
    }
    for threshold in rule.thresholds {
      let value = RuleView.number(threshold.value)
      rows.append(("--rule=\(rule.id).\(threshold.name)=\(value)", "Change the threshold."))
    }
    if let option = rule.requiredOption { rows.append((option.text, option.meaning)) }
    rows.append(("--allow=LANE", "Ignore findings in this lane."))
    rows.append(("--allow-source='*/File.swift:*'", "Ignore findings in this source file."))
    var lines = [Line("SETTINGS", .bold)]
    let width = rows.map(\.option.utf8.count).max() ?? 0
    let indent = page.indent(RuleView.indent)
    let fits = rows.allSatisfy { indent + width + 2 + $0.meaning.utf8.count <= page.width }
    for row in rows {
      var line = Line(DisplayWidth.spaces(indent) + row.option)
      if fits {
        line.pad(to: indent + width + 2)
        line.append(row.meaning, .dim)
        lines.append(line)
      } else {
        lines.append(line.cut(to: page.width, ellipsis: page.glyphs.ellipsis))
        lines += page.wrap(row.meaning, .dim, indent: page.indent(4))
      }
    }
    return lines + page.wrap("Or in \(SettingsFile.name): \(member)", indent: indent)
  }

  /// The settings as a member of the settings file.
  private var member: String {
    let thresholds = rule.thresholds.map { "\"\($0.name)\": \(RuleView.number($0.value))" }
    let members = ["\"level\": \"\(rule.level.rawValue)\""] + thresholds
    return "{ \"rules\": { \"\(rule.id)\": { \(members.joined(separator: ", ")) } } }"
  }

  /// Returns a number without `.0` if it is whole.
  private static func number(_ value: Double) -> String {
    Int(exactly: value).map { String($0) } ?? value.description
  }
}
