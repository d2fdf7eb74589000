import TerminalUI
import TraceAnalysis
import TraceWords
package import ViewerConsole

/// The only list of all commands and options.
package enum CommandTable {
  /// The maximum length of a summary. Help and shell menus show the summary next to a name.
  static let longestSummary = 72

  package static func command(_ name: CommandSpec.Name) -> CommandSpec? {
    commands.first { $0.name == name }
  }

  /// Returns the options of a command that not every command has.
  static func ownOptions(of command: CommandSpec.Name) -> [OptionSpec] {
    options.filter { option in
      if case .commands(let commands) = option.scope { commands.contains(command) } else { false }
    }
  }

  /// The options of every command.
  static var commonOptions: [OptionSpec] {
    options.filter { if case .everywhere = $0.scope { true } else { false } }
  }

  /// The options of the program without a command.
  static var loneOptions: [OptionSpec] {
    options.filter { if case .alone = $0.scope { true } else { false } }
  }

  /// Returns the commands that have at least one of the given options, in the order of the table.
  static func owners(of options: [OptionSpec]) -> [CommandSpec.Name] {
    commands.map(\.name).filter { name in options.contains { $0.belongs(to: name) } }
  }

  // MARK: Program

  /// The rules that `check` applies, in the order of their listing.
  static let rules = RuleBook.rules.map(\.id)

  /// The levels that a rule's findings can be set to.
  static let ruleLevels = RuleLevel.allCases.map(\.rawValue)

  static let summary =
    "Shows what the signals of a program did, and why a program leaks or hangs."

  /// The date of the version, in the format of manual pages.
  static let date = "November 21, 2026"

  static let exitCodes: [ExitCodeSpec] = [
    ExitCodeSpec(.clean, "nothing wrong"),
    ExitCodeSpec(.findings, "findings", [.check, .run, .leaks]),
    ExitCodeSpec(.findings, "the new log has new errors", [.diff]),
    ExitCodeSpec(.inconclusive, "inconclusive: a log may be incomplete", [.check, .diff]),
    ExitCodeSpec(.inconclusive, "inconclusive: a log may be incomplete or missing", [.run]),
    ExitCodeSpec(.usage, "wrong usage"),
    ExitCodeSpec(.notALog, "an input is not a trace log, or is damaged (with --strict)"),
    ExitCodeSpec(.cannotOpen, "an input cannot be opened"),
    ExitCodeSpec(.cannotInspect, "a process cannot be inspected", [.tasks, .leaks]),
    ExitCodeSpec(.cannotWrite, "an output cannot be written"),
    ExitCodeSpec(.timedOut, "the command took longer than --timeout or --total-timeout", [.run]),
    ExitCodeSpec(.cannotRun, "the command cannot be run", [.run]),
    ExitCodeSpec(.noCommand, "there is no such command", [.run]),
    ExitCodeSpec(.interrupted, "interrupted, for example by Control-C"),
    ExitCodeSpec(143, "terminated by a signal"),
  ]

  // MARK: Commands

  /// The explanation of the logs that a command reads together.
  private static let logOperand =
    """
    LOG is a file that a traced program wrote, a folder of such files, or - for standard input. In \
    a folder, the command reads all logs that are directly in it: files with names like run.jsonl, \
    run.jsonl.2 and run.jsonl.gz, except hidden ones.
    """

  static let commands: [CommandSpec] = [
    CommandSpec(
      name: .report,
      summary: "Show logs: timelines, lifecycles, findings. The default.",
      operands: .logs,
      examples: [
        .init(command: "trace-viewer run.jsonl", meaning: "explore the log"),
        .init(command: "trace-viewer report run.jsonl", meaning: "print a report"),
        .init(
          command: "trace-viewer run.jsonl --lane='search.*' --from=1.5s",
          meaning: "report a part of it"),
        .init(
          command: "trace-viewer report -f html -o run.html run.jsonl",
          meaning: "write a page for a browser"),
        .init(command: "ssh ci cat run.jsonl | trace-viewer -", meaning: "read from a pipe"),
      ],
      details: """
        On a terminal, 'trace-viewer LOG' opens the interactive view, where you can zoom and \
        search timelines, replay the log, and look at findings and details. The command prints a \
        report instead if you type the word 'report', if an option selects a part of the log or an \
        output format, or if standard output is not a terminal.

        A report says which program wrote the log and how the log ended. It shows a timeline with \
        a row for each lane, statistics of the subscriptions in each lane, and the subscriptions \
        that are still active at the end. With --from and --until, it shows the subscriptions that \
        were alive in that time range and counts what happened in it. Lifetimes and findings \
        always cover the whole log.

        \(logOperand)
        """),
    CommandSpec(
      name: .follow,
      summary: "Watch a log while it is being written.",
      operands: .log,
      examples: [
        .init(command: "trace-viewer follow run.jsonl", meaning: "watch a program run"),
        .init(command: "trace-viewer follow --mouse run.jsonl", meaning: "use the mouse, too"),
      ],
      details: """
        Opens the interactive view of a growing log and keeps its end in view. The space bar \
        pauses and resumes.

        LOG does not need to exist yet. If the file is replaced or cut short, the view starts over \
        with the new contents. If the file is deleted, the view says so and waits. If the recorder \
        continues the log in another file, the view continues there.

        If standard output is not a terminal, for example with '| grep search', the command prints \
        all events as lines, and then each event when it is written, as 'tail -F' does. When the \
        log ends, it prints the findings. Messages about the file are on standard error. The \
        command waits for more until a signal ends it, or nobody reads its output anymore.
        """),
    CommandSpec(
      name: .replay,
      summary: "Play a log in real time, faster or slower.",
      operands: .logs,
      examples: [
        .init(command: "trace-viewer replay run.jsonl", meaning: "play on the whole screen"),
        .init(
          command: "trace-viewer replay --plain --speed=4x run.jsonl",
          meaning: "print lines, four times as fast"),
        .init(
          command: "trace-viewer replay --plain --speed=max run.jsonl",
          meaning: "print all events at once"),
      ],
      details: """
        Plays a log from its beginning in the interactive view. The command prints a line for each \
        event instead, when the event is due, if you use --plain, --speed=max or an option that \
        selects a part of the log, or if standard output is not a terminal.

        \(logOperand)
        """),
    CommandSpec(
      name: .marbles,
      summary: "Draw each subscription of a log as a marble diagram.",
      operands: .logs,
      examples: [
        .init(command: "trace-viewer marbles run.jsonl", meaning: "draw all subscriptions"),
        .init(
          command: "trace-viewer marbles --lane='search.*' --limit=5 run.jsonl",
          meaning: "draw five, of some lanes"),
      ],
      details: """
        Draws a row for each subscription, with its elements and its end at the times when they \
        happened.

        \(logOperand)
        """),
    CommandSpec(
      name: .check,
      summary: "Fail if a log has undisposed subscriptions. For CI.",
      operands: .logs,
      examples: [
        .init(command: "trace-viewer check run.jsonl", meaning: "look for leaks"),
        .init(command: "trace-viewer check logs", meaning: "check all logs in a folder"),
        .init(
          command: "trace-viewer check -f github -o junit:leaks.xml run.jsonl",
          meaning: "annotate, and write a file"),
        .init(
          command: "trace-viewer check --rule=growth.min=3 --fail-on=warning run.jsonl",
          meaning: "be stricter"),
        .init(
          command: "trace-viewer check --baseline=known.json --write-baseline run.jsonl",
          meaning: "accept all current findings"),
      ],
      details: """
        Exits with 0 if every subscription ended or is declared to live until the program exits. \
        Exits with 1 if a subscription was never disposed or another rule found a problem. Exits \
        with 2 if a log is incomplete and proves nothing, because its process did not write the \
        end of the log or because records are missing.

        Settings come from the file .trace-viewer.json in the current directory or the nearest \
        directory above it, up to the root of the repository or the home directory. Options \
        override the settings. The command prints the path of the file on standard error. A \
        baseline lists known findings, so that the command fails only on new ones.

        Each finding has an id, which stays the same from run to run. --finding checks only for \
        some of them. With -f json --budget=1000, the output has about 1,000 tokens of four bytes: \
        an index of the findings, and as many of them in full as fit. --values adds elements of \
        the log, between tags that are random, because whoever made the elements may want to \
        mislead the reader.

        \(logOperand)
        """),
    CommandSpec(
      name: .run,
      summary: "Run a command, such as your tests, and check all logs of the run.",
      operands: .program,
      examples: [
        .init(command: "trace-viewer run -- swift test", meaning: "look for leaks in all tests"),
        .init(
          command: "trace-viewer run -o junit:leaks.xml -- swift test --parallel",
          meaning: "run them at once, and write a file"),
        .init(
          command: "trace-viewer run --all --keep=logs -- swift run MyApp",
          meaning: "trace everything, and keep the logs"),
      ],
      details: """
        Runs COMMAND with tracing on. Every process that the command starts writes a log of its \
        own, in a new folder. When the command has ended, all these logs are checked together, as \
        'check' does. The options are those of 'check', and they stand before the --. A process \
        that names its log itself, by REACTIVE_TRACE or in its code, is not checked.

        With --leaks, each process with a Swift program is searched when it ends, as 'leaks' does, \
        and what leaked is checked together with the logs. The processes of the command are traced \
        (ptrace) for that, so that they cannot use a debugger or the leak sanitizer themselves. \
        The programs of a Swift toolchain are left out, unless you use --all.

        With --timeout or --total-timeout, a command that hangs is ended. Before that, the command \
        prints what all its Swift processes wait for, as 'tasks' does, with the tests that do not \
        end. The key Control-\\, which sends SIGQUIT, prints the same report and does not end \
        anything. Both are available on Linux. With a time limit, a command that writes no log is \
        not a problem.

        Exits with the code of the command if that is not 0, with 124 if it reached a time limit, \
        with 128 plus the number of the signal if a signal ended the command, and with the code of \
        'check' otherwise. Without any log, the result is inconclusive, because a check of nothing \
        must not pass. A process that is still running is judged by what it has written so far, \
        which is inconclusive, too.

        The command has the input, the output and the terminal of this program, and gets its \
        signals. With --timeout, it writes to another pipe instead of a pipe or a socket, and its \
        output is copied, so that the time of the last output is known. The findings follow the \
        output of the command. If you print them for another program (any format except text and \
        github), the output of the command goes to standard error instead, so that the two do not \
        mix.

        The folder is in TMPDIR and is removed when the check is over, unless you use --keep. Then \
        the logs are in that folder, which must not exist yet or must be empty.
        """),
    CommandSpec(
      name: .tasks,
      summary: "Show what a running process waits for: its tasks and threads.",
      operands: .processes,
      examples: [
        .init(command: "trace-viewer tasks 4711", meaning: "find out why a process hangs"),
        .init(command: "trace-viewer tasks --watch 4711", meaning: "watch its tasks"),
        .init(
          command: "trace-viewer tasks -f json 4711 4712",
          meaning: "inspect two processes, for another program"),
      ],
      details: """
        Inspects running processes on Linux and prints for each of them the most probable \
        reason why it hangs, which task waits for which, and what its threads do, with the \
        functions and lines of your code. It works with every Swift program, which does not have \
        to be prepared in any way, and continues to run.

        PID is the number of a process of your own. Where the system only allows a process to read \
        its descendants, use 'run', or 'sudo'. Each thread is stopped for a moment to read its \
        stack. What the process writes and receives does not change.

        A cause is called probable unless nothing can end the wait.
        """),
    CommandSpec(
      name: .leaks,
      summary: "Show which objects of a running process leaked, and why.",
      operands: .processes,
      examples: [
        .init(command: "trace-viewer leaks 4711", meaning: "find retain cycles"),
        .init(
          command: "trace-viewer leaks --save=before.jsonl 4711",
          meaning: "count all objects by class"),
        .init(
          command: "trace-viewer leaks --compare=before.jsonl 4711",
          meaning: "show which classes have grown since"),
      ],
      details: """
        Searches running processes on Linux for objects that nothing leads to any more: no \
        variable, no thread, and no other object that is in use. Reports the retain cycles that \
        keep them alive, with fields, closures and lines, one finding for each mistake. It works \
        with every Swift program, which does not have to be prepared in any way.

        PID is the number of a process of your own. Where the system only allows a process to read \
        its descendants, use 'run --leaks', or 'sudo'. The process is stopped during the search, \
        for at most one second, and then continues. With --no-stop, it isn't stopped but searched \
        twice, and only retain cycles that both searches find are reported. The options and the \
        exit codes are those of 'check'.

        A word that looks like an address counts as a reference, so a finding is never a mere \
        guess, but a leak can be overlooked. The memory must come from glibc's allocator.
        """),
    CommandSpec(
      name: .explain,
      summary: "Explain a rule or a finding: why it is a problem, and what to do.",
      operands: .ruleOrFinding,
      examples: [
        .init(command: "trace-viewer explain undisposed", meaning: "explain a rule"),
        .init(
          command: "trace-viewer explain run.jsonl r54wdg", meaning: "print one finding in full"),
        .init(command: "trace-viewer explain", meaning: "list all rules"),
      ],
      details: """
        Explains what a rule finds, why that is a problem, how to fix it, and which settings the \
        rule has. RULE is the name in a finding. Without a name, the command lists all rules.

        After one or more logs or folders of logs, ID is the id of a finding, which every output \
        has next to the rule. The command prints this finding with all its subscriptions. With -f \
        json, it prints one object of at most 400 tokens (1,600 bytes) with the line to edit, \
        without values of the log unless you use --values.
        """),
    CommandSpec(
      name: .diff,
      summary: "Compare two logs: which lanes and findings are new or gone.",
      operands: .twoLogs,
      examples: [
        .init(command: "trace-viewer diff before.jsonl after.jsonl", meaning: "compare two runs"),
        .init(
          command: "trace-viewer diff -f markdown main.jsonl branch.jsonl",
          meaning: "write a comment for a pull request"),
        .init(command: "trace-viewer diff old-logs new-logs", meaning: "compare two folders"),
      ],
      details: """
        Compares the lanes, subscriptions and findings of two runs of a program. OLD and NEW are \
        files that a traced program wrote, or folders of such files, for example of two runs with \
        --keep. One of them may be - for standard input.
        """),
    CommandSpec(
      name: .export,
      summary: "Write a log in a format that other programs read.",
      operands: .logs,
      examples: [
        .init(
          command: "trace-viewer export -o run.pftrace run.jsonl",
          meaning: "open it in ui.perfetto.dev"),
        .init(
          command: "trace-viewer export --to=csv run.jsonl", meaning: "open it in a spreadsheet"),
      ],
      details: """
        Writes the contents of a log in the format of another program, to standard output or to a \
        file. In this command, --to names the format; --until ends the time range. In CSV, a text \
        that a spreadsheet would run as a formula begins with an added apostrophe.

        Every format except CSV has the findings, as check reports them: the subscriptions have \
        their rule, sentence, place and advice, and each finding has an event. An excerpt has \
        only the findings of its subscriptions.

        \(logOperand)
        """),
    CommandSpec(
      name: .repair,
      summary: "Write a copy of a damaged log without the damaged parts.",
      operands: .log,
      examples: [
        .init(
          command: "trace-viewer repair -o whole.jsonl damaged.jsonl",
          meaning: "keep all that can be read")
      ],
      details: """
        Copies every readable record to a new log and reports what it dropped. It repairs all \
        damage that --strict rejects. It also drops harmless parts, such as blank lines, without \
        reporting them.

        LOG is a file that a traced program wrote, or - for standard input. The command does not \
        change it.
        """),
    CommandSpec(
      name: .mcp,
      summary: "Serve findings to coding agents, by the Model Context Protocol.",
      operands: .nothing,
      examples: [
        .init(command: "trace-viewer mcp", meaning: "answer a coding agent"),
        .init(command: "trace-viewer mcp --no-config", meaning: "ignore the settings"),
      ],
      details: """
        Reads requests from standard input and writes responses to standard output, each of them \
        as one line of JSON, until the input ends. The protocol is the Model Context Protocol, in \
        the revision 2026-07-28 and in earlier ones.

        The tools are: findings, explain, compare, statistics and search for logs, and tasks for a \
        process that hangs. They only read. Each result has at most about 1,000 tokens unless the \
        client asks for another number. Values of a log are left out unless the client asks for \
        them, and are then between random tags. Paths are relative to the current directory, in \
        which settings and sources are looked for as well.
        """),
    CommandSpec(
      name: .help,
      summary: "Explain a command.",
      operands: .anyCommand,
      examples: [.init(command: "trace-viewer help check", meaning: "explain check")],
      details: "Explains a command. Without a name, it explains the program."),
  ]

  // MARK: Options

  static let options = printing + playing + choosing + judging + comparing + running + general

  // The leak sanitizer does not find an array that only an enumeration references.
  private static let checkFormats = CheckFormat.allCases.map(\.name)

  /// The options that control the output format and its destination.
  private static let printing: [OptionSpec] = [
    OptionSpec(
      .format, "format", letter: "f", value: "FORMAT", takes: .oneOf(ReportFormat.self),
      scope: .commands([.report]), summary: "Print the report in this format."),
    OptionSpec(
      .format, "format", letter: "f", value: "FORMAT", takes: .oneOf(CheckFormat.self),
      scope: .commands([.check, .run, .leaks]), summary: "Print the findings in this format."),
    OptionSpec(
      .format, "format", letter: "f", value: "FORMAT", takes: .oneOf(DiffFormat.self),
      scope: .commands([.diff]), summary: "Print the differences in this format."),
    OptionSpec(
      .format, "format", letter: "f", value: "FORMAT", takes: .oneOf(TasksFormat.self),
      scope: .commands([.tasks]), summary: "Print the inspection in this format."),
    OptionSpec(
      .format, "format", letter: "f", value: "FORMAT", takes: .oneOf(ExplainFormat.self),
      scope: .commands([.explain]), summary: "Print the finding in this format."),
    OptionSpec(
      .exportFormat, "to", value: "FORMAT", takes: .oneOf(ExportFormat.self),
      scope: .commands([.export]), summary: "Write this format. The default is perfetto."),
    OptionSpec(
      .output, "output", letter: "o", value: "FILE", takes: .file,
      scope: .commands([.report, .export]),
      summary: "Write to this file instead of standard output."),
    OptionSpec(
      .output, "output", letter: "o", value: "FILE", takes: .file, isRequired: true,
      scope: .commands([.repair]), summary: "Write the new log to this file."),
    OptionSpec(
      .output, "output", letter: "o", value: "FORMAT:FILE",
      takes: .formatAndFile(checkFormats), isRepeatable: true,
      scope: .commands([.check, .run, .leaks]),
      summary: "Also write the findings to a file, in the given format."),
    OptionSpec(
      .strict, "strict",
      scope: .commands([
        .report, .replay, .marbles, .check, .run, .leaks, .explain, .diff, .export,
      ]),
      summary: "Treat a damaged log as an error (exit 65)."),
  ]

  /// The options that control how a terminal shows and plays a log.
  private static let playing: [OptionSpec] = [
    OptionSpec(
      .mouse, "mouse", scope: .commands([.report, .follow, .replay]),
      summary: "Use the mouse in the interactive view. M turns it off."),
    OptionSpec(
      .noViewFile, "no-view-file", scope: .commands([.report, .follow, .replay]),
      summary: "Neither read nor write LOG.view.json, with notes and the arrangement."),
    OptionSpec(
      .speed, "speed", value: "SPEED", takes: .speed, scope: .commands([.replay]),
      summary: "Play at this speed: 4x, 1/8x, or max for no pauses."),
    OptionSpec(
      .skipGaps, "skip-gaps", scope: .commands([.replay]),
      summary: "Skip pauses of more than a second."),
    OptionSpec(
      .plain, "plain", scope: .commands([.replay]),
      summary: "Print a line for each event instead of drawing a screen."),
  ]

  /// The options that choose a part of a log.
  private static let choosing: [OptionSpec] = [
    OptionSpec(
      .lane, "lane", value: "PATTERN", isRepeatable: true,
      scope: .commands([.report, .replay, .marbles, .diff, .export]),
      summary: "Select lanes by name. * and ? are wildcards."),
    OptionSpec(
      .state, "state", value: "STATE", takes: .oneOf(Lifecycle.State.self), isRepeatable: true,
      scope: .commands([.report]), summary: "Select subscriptions by their state at the end."),
    OptionSpec(
      .from, "from", value: "TIME", scope: .commands([.report, .replay, .marbles, .export]),
      summary: "Start at this time: 1.5s, 300ms, or the name of a mark."),
    OptionSpec(
      .until, "until", "to", value: "TIME", scope: .commands([.report, .replay, .marbles]),
      summary: "End at this time (also --to): 1.5s, 300ms, or the name of a mark."),
    OptionSpec(
      .until, "until", value: "TIME", scope: .commands([.export]),
      summary: "End at this time: 1.5s, 300ms, or the name of a mark."),
    OptionSpec(
      .scope, "scope", value: "NAME", scope: .commands([.report, .export]),
      summary: "Select subscriptions that were made in this scope."),
    OptionSpec(
      .thread, "thread", value: "THREAD", scope: .commands([.report]),
      summary: "Select subscriptions with an element on this thread (name or number)."),
    OptionSpec(
      .value, "value", value: "REGEX", scope: .commands([.report]),
      summary: "Select subscriptions with an element that matches this pattern."),
    OptionSpec(
      .sort, "sort", value: "KEY", takes: .oneOf(ReportOrder.self),
      scope: .commands([.report]), summary: "Sort lanes and subscriptions by this key."),
    OptionSpec(
      .limit, "limit", value: "COUNT", takes: .count, scope: .commands([.report, .marbles]),
      summary: "Show at most this many; 0 shows all."),
  ]

  /// The options that control what counts as a finding.
  private static let judging: [OptionSpec] = [
    OptionSpec(
      .rule, "rule", value: "RULE=SETTING", takes: .ruleSetting, isRepeatable: true,
      scope: judges, summary: "Configure a rule: growth=off, growth=warning, growth.min=3."),
    OptionSpec(
      .maxActive, "max-active", value: "LANE=N", takes: .laneAndCount, isRepeatable: true,
      scope: judges, summary: "Limit the number of subscriptions that are active at once."),
    OptionSpec(
      .allow, "allow", value: "LANE", isRepeatable: true, scope: judges,
      summary: "Ignore findings in this lane."),
    OptionSpec(
      .allowSource, "allow-source", value: "PATTERN", isRepeatable: true, scope: judges,
      summary: "Ignore findings in matching source files."),
    OptionSpec(
      .main, "main", value: "LANE", isRepeatable: true, scope: judges,
      summary: "Require this lane to deliver on the main thread."),
    OptionSpec(
      .config, "config", value: "FILE", takes: .file, scope: judges,
      summary: "Read settings from this file."),
    OptionSpec(.noConfig, "no-config", scope: judges, summary: "Do not read a settings file."),
  ]

  private static let judges = OptionSpec.Scope.commands([
    .report, .follow, .replay, .check, .run, .leaks, .explain, .diff, .export, .mcp,
  ])

  /// The options that control which findings are known and what makes a check fail.
  private static let comparing: [OptionSpec] = [
    OptionSpec(
      .finding, "finding", value: "ID", isRepeatable: true,
      scope: .commands([.check, .run, .leaks]), summary: "Check only for findings with this id."),
    OptionSpec(
      .budget, "budget", value: "TOKENS", takes: .count, scope: .commands([.check, .run, .leaks]),
      summary: "With -f json: print what is most important in this many tokens."),
    OptionSpec(
      .values, "values", scope: .commands([.check, .run, .leaks, .explain]),
      summary: "With --budget, or with explain -f json: print values of the log, too."),
    OptionSpec(
      .failOn, "fail-on", value: "LEVEL", takes: .oneOf(Verdict.FailOn.self),
      scope: .commands([.check, .run, .leaks]),
      summary: "Fail on findings of this level or worse."),
    OptionSpec(
      .baseline, "baseline", value: "FILE", takes: .file, scope: .commands([.check, .run, .leaks]),
      summary: "Ignore the known findings that this file lists."),
    OptionSpec(
      .writeBaseline, "write-baseline", scope: .commands([.check, .run, .leaks]),
      summary: "Write all findings to the baseline."),
    OptionSpec(
      .pruneBaseline, "prune-baseline", scope: .commands([.check, .run, .leaks]),
      summary: "Remove findings from the baseline that no longer occur."),
    OptionSpec(
      .allowStale, "allow-stale", scope: .commands([.check, .run, .leaks]),
      summary: "Do not fail on baseline entries that no longer occur."),
  ]

  /// The options that control what a run traces, and where.
  private static let running: [OptionSpec] = [
    OptionSpec(
      .keep, "keep", value: "FOLDER", takes: .file, scope: .commands([.run]),
      summary: "Keep the logs in this folder, which must be new or empty."),
    OptionSpec(
      .all, "all", scope: .commands([.run]),
      summary: "Trace also subscriptions without a lane, show also leaks of frameworks."),
    OptionSpec(
      .all, "all", scope: .commands([.leaks]),
      summary: "Show all leaks, also those of frameworks."),
    OptionSpec(
      .noStop, "no-stop", scope: .commands([.leaks]),
      summary: "Search the process while it runs, which may find less."),
    OptionSpec(
      .save, "save", value: "FILE", takes: .file, scope: .commands([.leaks]),
      summary: "Write the numbers of all objects by class to this file."),
    OptionSpec(
      .compare, "compare", value: "FILE", takes: .file, scope: .commands([.leaks]),
      summary: "Show which classes have grown since --save wrote this file."),
    OptionSpec(
      .leaks, "leaks", scope: .commands([.run]),
      summary: "Search each Swift process for leaked objects when it ends."),
    OptionSpec(
      .timeout, "timeout", value: "TIME", takes: .duration, scope: .commands([.run]),
      summary: "End the command, with a report, if it prints nothing for this long: 5m."),
    OptionSpec(
      .totalTimeout, "total-timeout", value: "TIME", takes: .duration, scope: .commands([.run]),
      summary: "End the command, with a report, if it takes longer than this: 1h."),
    OptionSpec(
      .full, "full", scope: .commands([.tasks, .run]),
      summary: "Show all tasks, threads and calls of a process, not only your code."),
    OptionSpec(
      .watch, "watch", scope: .commands([.tasks]),
      summary: "Repeat the inspection every second, until Control-C."),
  ]

  private static let general: [OptionSpec] = [
    OptionSpec(
      .color, "color", value: "WHEN", takes: .oneOf(ColorChoice.self), scope: .everywhere,
      summary: "Use color always, never, or only on a terminal (auto)."),
    OptionSpec(.ascii, "ascii", scope: .everywhere, summary: "Draw with ASCII characters only."),
    OptionSpec(.help, "help", letter: "h", scope: .everywhere, summary: "Show help."),
    OptionSpec(.version, "version", scope: .everywhere, summary: "Show the version."),
    OptionSpec(
      .completionScript, "generate-completion-script", value: "SHELL",
      takes: .oneOf(CompletionShell.self), scope: .alone,
      summary: "Print a script that completes command lines in this shell."),
    OptionSpec(.manual, "generate-manual", scope: .alone, summary: "Print the manual page."),
  ]
}
