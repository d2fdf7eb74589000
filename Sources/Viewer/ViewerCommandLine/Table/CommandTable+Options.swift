import TerminalUI
import TraceAnalysis
import TraceWords
import ViewerConsole

// The options of all commands.
extension CommandTable {
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
      .filter, "filter", value: "QUERY", scope: .commands([.report, .check, .export]),
      summary: "Select subscriptions: 'lane:a.* error:/time.*out/i life>1s'."),
    OptionSpec(
      .lane, "lane", value: "PATTERN", isRepeatable: true,
      scope: .commands([.report, .follow, .replay, .marbles, .diff, .export]),
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
      summary: "Select subscriptions with an event on this thread (name or number)."),
    OptionSpec(
      .value, "value", value: "TEXT", scope: .commands([.report]),
      summary: "Select subscriptions with an element with this text, or /regex/i."),
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
      .stop, "stop", scope: .commands([.leaks]),
      summary: "Stop the process during the search, which can find more in a busy one."),
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
    OptionSpec(
      .sysroot, "sysroot", value: "DIR", takes: .file, scope: .commands([.tasks, .leaks]),
      summary: "Look for the files of a core file's process in this folder."),
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

/// A shell that can complete command lines.
package enum CompletionShell: String, OptionChoice {
  case bash, zsh, fish
}
