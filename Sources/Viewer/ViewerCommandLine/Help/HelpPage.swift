package import TerminalUI
package import ViewerConsole

/// The help of the program or of one of its commands, generated from the table.
package struct HelpPage {
  /// The command to explain, or `nil` for the program.
  let command: CommandSpec?

  package init(command: CommandSpec?) {
    self.command = command
  }

  /// The maximum width of a name in columns. A longer name is on a line of its own.
  private static let widestName = 28

  package func lines(_ page: Page) -> [Line] {
    var lines = page.wrap(command?.summary ?? CommandTable.summary) + [Line()]
    lines += heading("EXAMPLES", page)
    // The last line of the page says how to get help.
    let examples =
      command?.examples
      ?? CommandTable.commands.filter { $0.name != .help }.flatMap { $0.examples.prefix(1) }
    lines += table(examples.map { ($0.command, $0.meaning) }, page, widest: 56)
    lines += heading("USAGE", page)
    for usage in HelpPage.usages(command?.name) { lines += page.wrap(usage, indent: 2) }
    lines.append(Line())
    for paragraph in command?.details.split(separator: "\n\n") ?? [] {
      lines += page.wrap(String(paragraph), indent: 2) + [Line()]
    }
    lines += command.map { options(of: $0, page) } ?? overview(page)
    return lines.dropLast()
  }

  /// Returns the usage lines of a command, or of the whole program.
  package static func usages(_ command: CommandSpec.Name?) -> [String] {
    guard let command, let spec = CommandTable.command(command) else {
      return [
        "\(ProgramInfo.name) [OPTIONS] LOG...",
        "\(ProgramInfo.name) COMMAND [OPTIONS] ...",
      ]
    }
    let required = CommandTable.ownOptions(of: command).filter(\.isRequired).map {
      $0.spelling + ($0.value.map { "=" + $0.word } ?? "") + " "
    }
    return [
      "\(ProgramInfo.name) \(spec.name.rawValue) \(required.joined())[OPTIONS]"
        + (spec.operands.usage.isEmpty ? "" : " " + spec.operands.usage)
    ]
  }

  private func overview(_ page: Page) -> [Line] {
    heading("COMMANDS", page)
      + table(CommandTable.commands.map { ($0.name.rawValue, $0.summary) }, page)
      + heading("COMMON OPTIONS", page)
      + table((CommandTable.commonOptions + CommandTable.loneOptions).map(row), page)
      + heading("EXIT CODES", page)
      + page.flow(
        CommandTable.exitCodes.filter { $0.commands?.contains(.check) != false }
          .map { Line("\($0.code) \($0.meaning)") },
        separator: "; ", first: Line("  "), indent: 2)
      + [Line()]
      + page.wrap("Run '\(ProgramInfo.name) help COMMAND' for the options of a command.")
      + [Line()]
  }

  private func options(of command: CommandSpec, _ page: Page) -> [Line] {
    var lines: [Line] = []
    let own = CommandTable.ownOptions(of: command.name)
    if !own.isEmpty { lines += heading("OPTIONS", page) + table(own.map(row), page) }
    lines += heading("COMMON OPTIONS", page)
    lines += table(CommandTable.commonOptions.map(row), page)
    let codes = CommandTable.exitCodes.filter { $0.commands?.contains(command.name) != false }
    return lines + heading("EXIT CODES", page)
      + table(codes.map { ("\($0.code)", $0.meaning) }, page)
  }

  private func row(_ option: OptionSpec) -> (String, String) {
    let letter = option.letter.map { "-\($0), " } ?? "    "
    return (letter + option.spelling + (option.value.map { "=" + $0.word } ?? ""), option.help)
  }

  private func heading(_ title: String, _ page: Page) -> [Line] {
    page.wrap(title, .bold)
  }

  /// Returns a table with names on the left and their meanings on the right. The meaning goes below
  /// a name if the name or the page leaves no room.
  private func table(
    _ rows: [(String, String)], _ page: Page, widest: Int = HelpPage.widestName
  ) -> [Line] {
    let widths = rows.map { DisplayWidth.columns(of: $0.0) }.filter { $0 <= widest }
    let column = (widths.max() ?? 4) + 4
    var lines: [Line] = []
    for (word, meaning) in rows {
      let words = meaning.split(separator: " ").map { Line(String($0)) }
      if page.width - column < 24 {
        lines += page.wrap(word, indent: 2) + page.wrap(meaning, .dim, indent: 6)
        continue
      }
      var first = Line("  " + word)
      if first.columns + 2 > column {
        lines.append(first.cut(to: page.width, ellipsis: page.glyphs.ellipsis))
        first = Line()
      }
      first.pad(to: column)
      lines += page.flow(words, separator: " ", first: first, indent: column)
    }
    return lines + [Line()]
  }
}

extension OptionSpec {
  /// The summary and additional information about the use of the option.
  var help: String {
    var sentences = [summary]
    switch value?.kind {
    // The list is redundant if the summary names all choices.
    case .oneOf(let choices) where !choices.allSatisfy({ summary.contains($0) }):
      sentences.append("One of \(choices.joined(separator: ", ")).")
    case .formatAndFile(let formats):
      sentences.append("FORMAT is one of \(formats.joined(separator: ", ")).")
    case .ruleSetting:
      sentences.append(
        """
        SETTING is one of \(CommandTable.ruleLevels.joined(separator: ", ")), or a number for a \
        threshold.
        """
      )
    default: break
    }
    if isRequired { sentences.append("Required.") }
    if isRepeatable { sentences.append("Repeatable.") }
    return sentences.joined(separator: " ")
  }
}
