extension CommandTable {
  static let commands: [CommandSpec] = [
    CommandSpec(
      name: .report,
      summary: "Show logs: timelines, lifecycles, suspected leaks. The default.",
      operands: .logs,
      examples: [
        .init(command: "trace-viewer run.jsonl", meaning: "look about in it"),
        .init(command: "trace-viewer report run.jsonl", meaning: "print what happened"),
        .init(
          command: "trace-viewer run.jsonl --lane='search.*' --from=1.5s",
          meaning: "a part of it"),
        .init(
          command: "trace-viewer report -f html -o run.html run.jsonl",
          meaning: "as a page for a browser"),
        .init(command: "ssh ci cat run.jsonl | trace-viewer -", meaning: "read from a pipe"),
      ],
      details: """
        Without the word report, on a terminal and without options that choose or print, it opens the interactive view: \
        timelines to zoom and search, replay, findings, details. Otherwise it prints who wrote the log and how it ended, a timeline with a row for each lane, how the subscriptions \
        of each lane fared, and the subscriptions that are still active at the end. With --from and --to it shows the \
        subscriptions that were alive in that time, and counts what started, ended and came in it; lives are whole, and findings \
        are about whole logs. LOG is a file that a traced \
        program wrote, or - for standard input.
        """),
    CommandSpec(
      name: .follow,
      summary: "Watch a log while it is written.",
      operands: .log,
      examples: [
        .init(command: "trace-viewer follow run.jsonl", meaning: "watch a program run"),
        .init(command: "trace-viewer follow --mouse run.jsonl", meaning: "with the mouse"),
      ],
      details: """
        Opens the interactive view on a log that is still being written, and keeps its end in view; the space bar \
        freezes what is shown. LOG need not exist yet. If another file takes its place, or it is cut short, the view begins \
        anew with what is there then; while nothing has the name, it says so. A rotated log is followed into its next file. Where standard output is no terminal, \
        it prints a report of what there is.
        """),
    CommandSpec(
      name: .replay,
      summary: "Play a log as it happened, faster or slower.",
      operands: .logs,
      examples: [
        .init(command: "trace-viewer replay run.jsonl", meaning: "on the whole screen"),
        .init(
          command: "trace-viewer replay --plain --speed=4x run.jsonl",
          meaning: "lines, four times as fast"),
        .init(
          command: "trace-viewer replay --plain --speed=max run.jsonl",
          meaning: "all events in the order of time"),
      ],
      details: """
        Plays a log in the interactive view from its beginning. With --plain, with an option that \
        chooses a part, with --speed=max, or where standard output is no terminal, it prints a line for each event when its time \
        has come. LOG is a file that a traced program wrote, or - for standard \
        input.
        """),
    CommandSpec(
      name: .marbles,
      summary: "Draw every subscription of a log as a marble diagram.",
      operands: .logs,
      examples: [
        .init(command: "trace-viewer marbles run.jsonl", meaning: "draw all subscriptions"),
        .init(
          command: "trace-viewer marbles --lane='search.*' --limit=5 run.jsonl",
          meaning: "five of some lanes"),
      ],
      details: """
        Draws a row for each subscription, with its elements and its end at their times. LOG is a file that a \
        traced program wrote, or - for standard input.
        """),
    CommandSpec(
      name: .check,
      summary: "Fail if a log has undisposed subscriptions. For CI.",
      operands: .logs,
      examples: [
        .init(command: "trace-viewer check run.jsonl", meaning: "look for leaks"),
        .init(command: "trace-viewer check logs/*.jsonl", meaning: "in every log of a run"),
        .init(
          command: "trace-viewer check -f github -o junit:leaks.xml run.jsonl",
          meaning: "annotate, and write a file"),
        .init(
          command: "trace-viewer check --rule=growth.min=3 --fail-on=warning run.jsonl",
          meaning: "be stricter"),
        .init(
          command: "trace-viewer check --baseline=known.json --write-baseline run.jsonl",
          meaning: "accept what there is"),
      ],
      details: """
        Exits with 0 if every subscription ended or is declared to live until exit, with 1 if one was never \
        disposed or another rule found something, and with 2 if a log proves nothing: its process never wrote the \
        end, or records are missing. Settings come from .trace-viewer.json in the directory or above it, up to the root of the repository \
        or the home directory, and options are laid over them; the file is named on standard error. A baseline holds what is known already; it may only shrink. LOG is a file that a traced program \
        wrote, or - for standard input.
        """),
    CommandSpec(
      name: .explain,
      summary: "Explain a rule: what it finds, why, and what to do.",
      operands: .rule,
      examples: [
        .init(command: "trace-viewer explain undisposed", meaning: "explain a finding"),
        .init(command: "trace-viewer explain", meaning: "list all rules"),
      ],
      details: """
        Says what a rule finds, why that is a fault, what to do about it and what can be set. RULE is the name that \
        a finding carries; without one, all rules are listed.
        """),
    CommandSpec(
      name: .diff,
      summary: "Compare two logs: which lanes and findings came and went.",
      operands: .twoLogs,
      examples: [
        .init(command: "trace-viewer diff before.jsonl after.jsonl", meaning: "compare two runs"),
        .init(
          command: "trace-viewer diff -f markdown main.jsonl branch.jsonl",
          meaning: "for a comment on a change"),
      ],
      details: """
        Compares the lanes, subscriptions and findings of two runs of a program. OLD and NEW are files that a traced \
        program wrote; one of them may be - for standard input.
        """),
    CommandSpec(
      name: .export,
      summary: "Write a log in a format that other programs read.",
      operands: .logs,
      examples: [
        .init(
          command: "trace-viewer export --to=perfetto -o run.pftrace run.jsonl",
          meaning: "open it in ui.perfetto.dev"),
        .init(command: "trace-viewer export --to=csv run.jsonl", meaning: "for a spreadsheet"),
      ],
      details: """
        Writes what a log holds in the format of another program, to standard output or to a file. In CSV a text that \
        a spreadsheet would run as a formula has a ' before it. LOG is a file \
        that a traced program wrote, or - for standard input.
        """),
    CommandSpec(
      name: .repair,
      summary: "Write a damaged log anew, without what cannot be read.",
      operands: .log,
      examples: [
        .init(
          command: "trace-viewer repair -o whole.jsonl damaged.jsonl",
          meaning: "keep all that can be read")
      ],
      details: """
        Copies every record that can be read into a new log and says what was left out. LOG is a file that a traced \
        program wrote, or - for standard input; it is not changed. What is repaired is what --strict refuses; blank \
        lines and the like are no damage, and are left out too.
        """),
    CommandSpec(
      name: .help,
      summary: "Explain a command.",
      operands: .anyCommand,
      examples: [.init(command: "trace-viewer help check", meaning: "explain check")],
      details: "Explains a command, or without one the program."),
  ]
}
