/// All commands and options, written once.
enum CommandTable {
  static let program = "trace-viewer"
  static let version = "0.1.0"
  static let summary =
    "Shows what a program's signals did, and finds subscriptions that nobody disposed."

  static let commands: [CommandSpec] = [
    CommandSpec(
      name: .report,
      summary: "Show a log: timeline, lifecycles, suspected leaks. The default.",
      operands: "LOG",
      examples: [
        .init(command: "trace-viewer run.jsonl", meaning: "show what happened"),
        .init(command: "trace-viewer report --ascii run.jsonl", meaning: "in plain ASCII"),
        .init(command: "ssh ci cat run.jsonl | trace-viewer -", meaning: "read from a pipe"),
      ],
      details: """
        Prints who wrote the log and how it ended, a timeline with a row for each lane, how the subscriptions \
        of each lane fared, and the subscriptions that are still active at the end. LOG is a file that a traced \
        program wrote, or - for standard input.
        """),
    CommandSpec(
      name: .check,
      summary: "Fail if a log has undisposed subscriptions. For CI.",
      operands: "LOG...",
      examples: [
        .init(command: "trace-viewer check run.jsonl", meaning: "look for leaks"),
        .init(command: "trace-viewer check logs/*.jsonl", meaning: "in every log of a run"),
      ],
      details: """
        Exits with 0 if every subscription ended or is declared to live until exit, with 1 if one was never \
        disposed, and with 2 if a log proves nothing: its process never wrote the end, or records are missing.
        """),
    CommandSpec(
      name: .help, summary: "Explain a command.", operands: "[COMMAND]",
      examples: [.init(command: "trace-viewer help check", meaning: "explain check")],
      details: "Without a command it explains the program."),
  ]

  static let options: [OptionSpec] = [
    OptionSpec(
      .color, value: "WHEN", choices: ColorChoice.allCases.map(\.rawValue),
      summary: "Use colour always, never, or where the output is a terminal (auto)."),
    OptionSpec(.ascii, summary: "Draw with ASCII characters only."),
    OptionSpec(.help, letter: "h", summary: "Show help."),
    OptionSpec(.version, summary: "Show the version."),
  ]

  static let exitCodes: [(code: ExitCode, meaning: String)] = [
    (.clean, "nothing wrong"),
    (.findings, "undisposed subscriptions (check)"),
    (.inconclusive, "inconclusive: the log may not be whole (check)"),
    (.usage, "wrong usage"),
    (.notALog, "the input is no trace log"),
    (.cannotOpen, "the input cannot be opened"),
    (.cannotWrite, "the output could not be written"),
  ]

  static func command(_ name: CommandSpec.Name) -> CommandSpec? {
    commands.first { $0.name == name }
  }
}
