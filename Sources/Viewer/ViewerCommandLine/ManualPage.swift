import ViewerConsole

/// The manual page in mdoc, generated from the table.
package enum ManualPage {
  package static var text: String {
    var lines = [
      ".Dd \(CommandTable.date)", ".Dt TRACE-VIEWER 1", ".Os", ".Sh NAME",
      ".Nm \(ProgramInfo.name)", ".Nd show what signals did and find leaks", ".Sh SYNOPSIS",
      ".Nm", ".Op Ar OPTIONS", ".Ar LOG ...",
    ]
    for command in CommandTable.commands {
      lines += [".Nm", ".Cm \(command.name.rawValue)"] + synopsis(command)
    }
    for option in CommandTable.loneOptions { lines += [".Nm", "." + flags(option)] }
    lines += [".Sh DESCRIPTION"] + sentences(CommandTable.summary)
    lines += ["The commands are:", ".Bl -tag -width Ds"]
    for command in CommandTable.commands {
      let paragraphs = command.details.split(separator: "\n\n").map { sentences(String($0)) }
      lines += [".It Cm \(command.name.rawValue)"] + paragraphs.joined(separator: [".Pp"])
      let own = CommandTable.ownOptions(of: command.name)
      if !own.isEmpty { lines += list(own) }
    }
    lines += [".El", ".Pp", "All commands have these options:"] + list(CommandTable.commonOptions)
    lines +=
      [".Pp", "These options stand alone, without a command:"] + list(CommandTable.loneOptions)
    return (lines + environment + exitStatus + examples).joined(separator: "\n") + "\n"
  }

  private static func synopsis(_ command: CommandSpec) -> [String] {
    let required = CommandTable.ownOptions(of: command.name).filter(\.isRequired)
    let usage = command.operands.usage
    let operand =
      command.operands.kind == .program
      ? ".Fl \\- Ar COMMAND Op Ar ARGUMENT ..."
      : usage.hasPrefix("[")
        ? ".Op Ar \(usage.dropFirst().dropLast())"
        : ".Ar \(usage.hasSuffix("...") ? usage.dropLast(3) + " ..." : usage[...])"
    return required.map { "." + flags($0) } + [".Op Ar OPTIONS"]
      + (usage.isEmpty ? [] : [operand])
  }

  private static func list(_ options: [OptionSpec]) -> [String] {
    [".Bl -tag -width Ds"]
      + options.flatMap { [".It " + flags($0)] + sentences($0.help) }
      + [".El"]
  }

  /// Returns the flags of an option, such as `Fl f Ar FORMAT , Fl \-format Ns = Ns Ar FORMAT`.
  private static func flags(_ option: OptionSpec) -> String {
    let value = option.value.map { escape($0.word) }
    let letter = option.letter.map { "Fl \($0)" + (value.map { " Ar \($0)" } ?? "") }
    let long = option.spellings.map { spelling in
      "Fl \\-\(escape(spelling))" + (value.map { " Ns = Ns Ar \($0)" } ?? "")
    }
    return ((letter.map { [$0] } ?? []) + long).joined(separator: " , ")
  }

  private static let environment = [
    ".Sh ENVIRONMENT", ".Bl -tag -width Ds",
    ".It Ev NO_COLOR", "If set, color is used only with",
    ".Fl \\-color Ns = Ns Cm always .",
    ".It Ev CLICOLOR_FORCE , FORCE_COLOR",
    "If set to anything but 0, color is also used if the output is not a terminal.",
    ".It Ev COLUMNS", "The width of reports if the output is not a terminal.",
    ".It Ev LC_ALL , LC_CTYPE , LANG",
    "If they do not name a UTF-8 locale, only ASCII characters are drawn.", ".El",
  ]

  private static var exitStatus: [String] {
    [".Sh EXIT STATUS", ".Bl -tag -width Ds"]
      + CommandTable.exitCodes.flatMap { code in
        let commands = code.commands?.map(\.rawValue).joined(separator: ", ")
        return [".It \(code.code)"] + sentences(code.meaning + (commands.map { " (\($0))" } ?? ""))
      }
      + [".El"]
  }

  private static var examples: [String] {
    [".Sh EXAMPLES"]
      + CommandTable.commands.flatMap(\.examples).flatMap { example in
        [
          example.meaning.prefix(1).uppercased() + escape(String(example.meaning.dropFirst()))
            + ":",
          ".Bd -literal -offset indent", literal(example.command), ".Ed",
        ]
      }
  }

  /// Returns each sentence on a line of its own, as mdoc requires.
  private static func sentences(_ text: String) -> [String] {
    text.replacing(". ", with: ".\n").split(separator: "\n").map { escape(String($0)) }
  }

  /// Escapes text so that it is not a request and each character stands for itself.
  private static func escape(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\e")
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }

  /// Returns text with signs that can be copied into a shell. Typesetting would replace plain ones.
  private static func literal(_ text: String) -> String {
    escape(text).replacing("-", with: "\\-").replacing("'", with: "\\(aq")
  }
}
