import TerminalUI
import TraceAnalysis
import TraceWords
package import ViewerConsole

/// The only list of all commands and options. The options are in an extension.
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

  static let summary = "Shows what the signals of a program did, and why a program leaks or hangs."

  /// The date of the version, in the format of manual pages.
  static let date = "November 21, 2026"

  static let exitCodes: [ExitCodeSpec] = [
    ExitCodeSpec(.clean, "nothing wrong"),
    ExitCodeSpec(.findings, "findings", [.check, .run, .leaks]),
    ExitCodeSpec(.findings, "the new log has new errors", [.diff]),
    ExitCodeSpec(.inconclusive, "inconclusive: a log may be incomplete", [.check, .diff, .verify]),
    ExitCodeSpec(.inconclusive, "inconclusive: a log may be incomplete or missing", [.run]),
    ExitCodeSpec(
      .inconclusive, "inconclusive: an unknown version of Swift, or a core file that isn't whole",
      [.tasks]),
    ExitCodeSpec(
      .inconclusive, "inconclusive: no object was recognized, or a core file isn't whole",
      [.leaks]),
    ExitCodeSpec(.usage, "wrong usage"),
    ExitCodeSpec(.notALog, "an input is not a trace log, or is damaged (with --strict)"),
    ExitCodeSpec(.cannotOpen, "an input cannot be opened"),
    ExitCodeSpec(.cannotInspect, "a process cannot be inspected", [.tasks, .leaks, .run]),
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
        .init(
          command: "trace-viewer follow --lane='search.*' run.jsonl", meaning: "watch some lanes"),
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

        With --lane, the view begins with that filter, and only the events of matching lanes are \
        printed, with all marks and scopes. The findings are about the whole log. A lane may begin \
        later, so a name that no lane has yet isn't an error.
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
      summary: "Show what a process or a core file waits for: tasks and threads.",
      operands: .processes,
      examples: [
        .init(command: "trace-viewer tasks 4711", meaning: "find out why a process hangs"),
        .init(command: "trace-viewer tasks --watch 4711", meaning: "watch its tasks"),
        .init(command: "trace-viewer tasks ./core", meaning: "look at a process that crashed"),
        .init(
          command: "trace-viewer tasks -f json 4711 4712",
          meaning: "write logs, for 'report' and other programs"),
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

        CORE is a core file, which the kernel writes when a program crashes, or which 'gcore PID' \
        writes while it runs. A number is a process, so put ./ before a file whose name is a \
        number. What the file doesn't have is read from the program and its libraries, which must \
        be those that the process had. With --sysroot, they are looked for in DIR, by the paths \
        that the process had. If anything is missing, the result is inconclusive.

        '--format json' prints a log, which the interactive view and all commands for logs read.
        """),
    CommandSpec(
      name: .leaks,
      summary: "Show which objects of a process or a core file leaked, and why.",
      operands: .processes,
      examples: [
        .init(command: "trace-viewer leaks 4711", meaning: "find retain cycles"),
        .init(
          command: "trace-viewer leaks --save=before.jsonl 4711",
          meaning: "count all objects by class"),
        .init(
          command: "trace-viewer leaks --compare=before.jsonl 4711",
          meaning: "show which classes have grown since"),
        .init(
          command: "trace-viewer leaks --sysroot=image ./core",
          meaning: "search a core file from another system"),
      ],
      details: """
        Searches running processes on Linux for objects that nothing leads to any more: no \
        variable, no thread, and no other object that is in use. Reports the retain cycles that \
        keep them alive, with fields, closures and lines, one finding for each mistake. It works \
        with every Swift program, which does not have to be prepared in any way.

        PID is the number of a process of your own. Where the system only allows a process to read \
        its descendants, use 'run --leaks', or 'sudo'. The process runs on. If one of its threads \
        runs during the search, it is searched twice, and only retain cycles that both searches \
        find are reported. With --stop, it is stopped during the search, for at most one second. \
        The options and the exit codes are those of 'check'.

        CORE is a core file, which the kernel writes when a program crashes, or which 'gcore PID' \
        writes. The files of the process are read as by 'tasks'. If one is missing, or if the core \
        file isn't whole, it isn't searched, and the result is inconclusive.

        A word that looks like an address counts as a reference, so a finding is never a mere \
        guess, but a leak can be overlooked. With another allocator than that of glibc, jemalloc, \
        mimalloc or tcmalloc, only cycles are found.
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
          command: "trace-viewer diff -f text before.jsonl after.jsonl",
          meaning: "print the differences, also on a terminal"),
        .init(
          command: "trace-viewer diff -f markdown main.jsonl branch.jsonl",
          meaning: "write a comment for a pull request"),
        .init(command: "trace-viewer diff old-logs new-logs", meaning: "compare two folders"),
      ],
      details: """
        Compares the lanes, subscriptions and findings of two runs of a program. OLD and NEW are \
        files that a traced program wrote, or folders of such files, for example of two runs with \
        --keep. One of them may be - for standard input.

        If standard input and standard output are a terminal, the command shows both logs on one \
        time axis, with the lanes that differ first. / searches with a query, and V opens a lane \
        in the full view of either log. With --format, or in a pipe, it prints the differences. \
        The exit code is the same.
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
      name: .verify,
      summary: "Check that a log keeps to the format, for those who write logs.",
      operands: .logs,
      examples: [
        .init(command: "trace-viewer verify run.jsonl", meaning: "check a new recorder")
      ],
      details: """
        Reports each kind of damage that --strict rejects, and each record that contradicts others \
        or the rules of the format: a subscription that ends twice, elements after its end, times \
        that descend, parents, causes and scopes that are not in the log, threads without a name, \
        and a wrong number of records. Each message has the file, the line and the reason.

        Exits with 0 if the log is valid and complete, with 2 if it is valid but does not say \
        everything, for example because it has no end, and with 65 if it is damaged or wrong. What \
        the program did is not judged: see 'check'. Keys and events that this version does not \
        know are allowed.

        \(logOperand)
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
}
