/// The help of the program or of one of its commands, made from the table.
struct HelpPage {
  let command: CommandSpec?

  func lines(_ page: Page) -> [Line] {
    var lines = page.wrap(command?.details ?? CommandTable.summary) + [Line()]
    lines += heading("EXAMPLES")
    let examples = (command.map { [$0] } ?? CommandTable.commands).flatMap(\.examples)
    lines += table(examples.map { ($0.command, $0.meaning) }, page)
    lines += heading("USAGE")
    for usage in HelpPage.usages(command?.name) { lines += page.wrap(usage, indent: 2) }
    lines.append(Line())
    if command == nil {
      lines += heading("COMMANDS")
      lines += table(CommandTable.commands.map { ($0.name.rawValue, $0.summary) }, page)
    }
    lines += heading("OPTIONS")
    lines += table(CommandTable.options.map { (HelpPage.spelling($0), $0.summary) }, page)
    lines += heading("EXIT CODES")
    lines += table(CommandTable.exitCodes.map { ("\($0.code.rawValue)", $0.meaning) }, page)
    return lines.dropLast()
  }

  /// The usage lines of a command, or of the whole program.
  static func usages(_ command: CommandSpec.Name?) -> [String] {
    guard let command, let spec = CommandTable.command(command) else {
      return [
        "\(CommandTable.program) [OPTIONS] LOG", "\(CommandTable.program) COMMAND [OPTIONS] ...",
      ]
    }
    return ["\(CommandTable.program) \(spec.name.rawValue) [OPTIONS] \(spec.operands)"]
  }

  private static func spelling(_ option: OptionSpec) -> String {
    let letter = option.letter.map { "-\($0), " } ?? ""
    let value =
      option.choices.isEmpty ? option.value ?? "" : option.choices.joined(separator: "|")
    return letter + "--" + option.name.rawValue + (value.isEmpty ? "" : "=" + value)
  }

  private func heading(_ title: String) -> [Line] {
    [Line(title, .bold)]
  }

  /// Words to the left, what they mean to the right, or below where the page is narrow.
  private func table(_ rows: [(String, String)], _ page: Page) -> [Line] {
    let widest = rows.map { DisplayWidth.columns(of: $0.0) }.max() ?? 0
    let column = widest + 4
    var lines: [Line] = []
    for (word, meaning) in rows {
      if page.width - column >= 24 {
        var first = Line("  " + word)
        first.pad(to: column)
        let words = meaning.split(separator: " ").map { Line(String($0)) }
        lines += page.flow(words, separator: " ", first: first, indent: column)
      } else {
        lines += page.wrap(word, indent: 2) + page.wrap(meaning, .dim, indent: 6)
      }
    }
    return lines + [Line()]
  }
}
