import TerminalUI

extension CommandTable {
  static let options = printing + playing + choosing + judging + comparing + general

  private static let checkFormats = [
    "text", "json", "junit", "sarif", "github", "gitlab", "markdown",
  ]

  /// The options that control the output format and its destination.
  private static let printing: [OptionSpec] = [
    OptionSpec(
      .format, "format", letter: "f", value: "FORMAT",
      takes: .oneOf(["text", "json", "markdown", "html"]), scope: .commands([.report]),
      summary: "Print the report in this format."),
    OptionSpec(
      .format, "format", letter: "f", value: "FORMAT", takes: .oneOf(checkFormats),
      scope: .commands([.check]), summary: "Print the findings in this format."),
    OptionSpec(
      .format, "format", letter: "f", value: "FORMAT", takes: .oneOf(["text", "json", "markdown"]),
      scope: .commands([.diff]), summary: "Print the differences in this format."),
    OptionSpec(
      .exportFormat, "to", value: "FORMAT", takes: .oneOf(["perfetto", "chrome", "otlp", "csv"]),
      scope: .commands([.export]), summary: "Write this format; perfetto if none is named."),
    OptionSpec(
      .output, "output", letter: "o", value: "FILE", takes: .file,
      scope: .commands([.report, .export]),
      summary: "Write to this file instead of standard output."),
    OptionSpec(
      .output, "output", letter: "o", value: "FILE", takes: .file, isRequired: true,
      scope: .commands([.repair]), summary: "Write the new log to this file."),
    OptionSpec(
      .output, "output", letter: "o", value: "FORMAT:FILE", takes: .formatAndFile(checkFormats),
      isRepeatable: true, scope: .commands([.check]),
      summary: "Also write the findings to a file, in a format of its own."),
    OptionSpec(
      .strict, "strict", scope: .commands([.report, .replay, .marbles, .check, .diff, .export]),
      summary: "Take damage of a log for a failure, and exit with 65."),
  ]

  /// The options that control how a terminal shows and plays a log.
  private static let playing: [OptionSpec] = [
    OptionSpec(
      .mouse, "mouse", scope: .commands([.report, .follow, .replay]),
      summary: "Use the mouse in the interactive view; M turns it off."),
    OptionSpec(
      .speed, "speed", value: "SPEED", takes: .speed, scope: .commands([.replay]),
      summary: "Play this fast: 4x, 1/8x, or max for as fast as it goes."),
    OptionSpec(
      .skipGaps, "skip-gaps", scope: .commands([.replay]),
      summary: "Leave out what takes over a second and has nothing in it."),
    OptionSpec(
      .plain, "plain", scope: .commands([.replay]),
      summary: "Print a line for each event instead of drawing a screen."),
  ]

  /// The options that choose a part of a log.
  private static let choosing: [OptionSpec] = [
    OptionSpec(
      .lane, "lane", value: "PATTERN", isRepeatable: true,
      scope: .commands([.report, .replay, .marbles, .diff, .export]),
      summary: "Only lanes of this name, in which * and ? stand for anything."),
    OptionSpec(
      .state, "state", value: "STATE",
      takes: .oneOf(["active", "completed", "failed", "disposed", "released"]), isRepeatable: true,
      scope: .commands([.report]), summary: "Only subscriptions that the log leaves in this state."),
    OptionSpec(
      .from, "from", value: "TIME", scope: .commands([.report, .replay, .marbles, .export]),
      summary: "Only what happens from this on: 1.5s, 300ms, or the name of a mark."),
    OptionSpec(
      .until, "to", "until", value: "TIME", scope: .commands([.report, .replay, .marbles]),
      summary: "Only what happens up to this: 1.5s, 300ms, or the name of a mark."),
    OptionSpec(
      .until, "until", value: "TIME", scope: .commands([.export]),
      summary: "Only what happens up to this: 1.5s, 300ms, or the name of a mark."),
    OptionSpec(
      .scope, "scope", value: "NAME", scope: .commands([.report, .export]),
      summary: "Only subscriptions that were made in this scope."),
    OptionSpec(
      .thread, "thread", value: "THREAD", scope: .commands([.report]),
      summary: "Only subscriptions with an element on this thread, by name or number."),
    OptionSpec(
      .value, "value", value: "REGEX", scope: .commands([.report]),
      summary: "Only subscriptions with an element whose text matches this pattern."),
    OptionSpec(
      .sort, "sort", value: "KEY", takes: .oneOf(["time", "lane", "elements", "life"]),
      scope: .commands([.report]), summary: "Order lanes and subscriptions by this."),
    OptionSpec(
      .limit, "limit", value: "COUNT", takes: .count, scope: .commands([.report, .marbles]),
      summary: "Show this many at most; 0 shows all."),
  ]

  /// The options that control what counts as a finding.
  private static let judging: [OptionSpec] = [
    OptionSpec(
      .rule, "rule", value: "RULE=SETTING", takes: .ruleSetting, isRepeatable: true,
      scope: judges, summary: "Set a rule: growth=off, growth=warning, growth.min=3."),
    OptionSpec(
      .maxActive, "max-active", value: "LANE=N", takes: .laneAndCount, isRepeatable: true,
      scope: judges, summary: "Let a lane have this many active subscriptions, and no more."),
    OptionSpec(
      .allow, "allow", value: "LANE", isRepeatable: true, scope: judges,
      summary: "Find nothing in this lane."),
    OptionSpec(
      .allowSource, "allow-source", value: "PATTERN", isRepeatable: true, scope: judges,
      summary: "Find nothing in subscriptions made in matching source files."),
    OptionSpec(
      .main, "main", value: "LANE", isRepeatable: true, scope: judges,
      summary: "Demand that this lane delivers on the main thread."),
    OptionSpec(
      .config, "config", value: "FILE", takes: .file, scope: judges,
      summary: "Read settings from this file."),
    OptionSpec(.noConfig, "no-config", scope: judges, summary: "Read no file of settings."),
  ]

  private static let judges = OptionSpec.Scope.commands([.report, .follow, .replay, .check, .diff])

  /// The options that control which findings are known and what makes a check fail.
  private static let comparing: [OptionSpec] = [
    OptionSpec(
      .failOn, "fail-on", value: "LEVEL", takes: .oneOf(["error", "warning", "any"]),
      scope: .commands([.check]), summary: "Fail if something as bad as this is found."),
    OptionSpec(
      .baseline, "baseline", value: "FILE", takes: .file, scope: .commands([.check]),
      summary: "Leave out the findings that this file lists as known."),
    OptionSpec(
      .writeBaseline, "write-baseline", scope: .commands([.check]),
      summary: "Write what is found to the baseline."),
    OptionSpec(
      .pruneBaseline, "prune-baseline", scope: .commands([.check]),
      summary: "Remove from the baseline what is not found any more."),
    OptionSpec(
      .allowStale, "allow-stale", scope: .commands([.check]),
      summary: "Do not fail if the baseline lists what is not found any more."),
  ]

  private static let general: [OptionSpec] = [
    OptionSpec(
      .color, "color", value: "WHEN", takes: .oneOf(ColorChoice.allCases.map(\.rawValue)),
      scope: .everywhere,
      summary: "Use colour always, never, or where the output is a terminal (auto)."),
    OptionSpec(.ascii, "ascii", scope: .everywhere, summary: "Draw with ASCII characters only."),
    OptionSpec(.help, "help", letter: "h", scope: .everywhere, summary: "Show help."),
    OptionSpec(.version, "version", scope: .everywhere, summary: "Show the version."),
    OptionSpec(
      .completionScript, "generate-completion-script", value: "SHELL",
      takes: .oneOf(CompletionShell.allCases.map(\.rawValue)), scope: .alone,
      summary: "Print a script that lets a shell complete command lines."),
    OptionSpec(.manual, "generate-manual", scope: .alone, summary: "Print the manual page."),
  ]
}
