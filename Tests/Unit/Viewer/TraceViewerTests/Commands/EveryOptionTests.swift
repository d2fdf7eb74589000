import TestSupport
import Testing

@testable import ViewerCommandLine
@testable import ViewerConsole

/// Tests that run the built program with every option of every command. A new option needs a line
/// here.
@Suite("Every option of the built program", .ownThread)
struct EveryOptionTests {
  struct Line {
    let arguments: String
    let code: Int
    /// A part of the expected text on standard output or standard error.
    let says: String

    init(_ arguments: String, _ code: Int, _ says: String) {
      self.arguments = arguments
      self.code = code
      self.says = says
    }
  }

  /// Commands to run.
  private static let leaking = #"-- sh -c '"$HELPER" leaks 1'"#
  private static let clean = #"-- sh -c '"$HELPER" write 1'"#

  private static let lines: [Line] = [
    Line("report LEAK", 0, "1 undisposed subscription"),
    Line("LEAK --format json", 0, #""format": "trace-viewer-report""#),
    Line("LEAK -f markdown", 0, "| Lane |"),
    Line("LEAK -f html", 0, "<!DOCTYPE html>"),
    Line("LEAK -f html -o OUT", 0, ""),
    Line("report DAMAGED --strict", 65, "not a JSON object; 1 line skipped"),
    Line("report LEAK --lane 'req*'", 0, "shown: 2 of 4 subscriptions"),
    Line("report LEAK --state failed --state disposed", 0, "shown: 2 of 4 subscriptions"),
    Line("report LEAK --from 950ms --to 2s", 0, "shown: 2 of 4 subscriptions"),
    Line("report LEAK --until here --from here", 0, "shown:"),
    Line("report LEAK --from 99s", 64, "after the end of the logs, which last 1 s"),
    Line("marbles LEAK --from 99s", 64, "after the end of the logs"),
    Line("export LEAK --from 99s", 64, "after the end of the logs"),
    Line("report LEAK --sort elements --limit 1 --lane '*'", 0, "+1 more lane with"),
    Line("report LEAK --from nowhere", 64, "It must be a time, such as 1.5s or 300ms"),
    Line("report LEAK --scope screen", 0, "shown: 1 of 4 subscriptions"),
    Line("report LEAK --thread 2", 0, "shown: 1 of 4 subscriptions"),
    Line("report LEAK --value '/\\[.a/'", 0, "shown: 1 of 4 subscriptions"),
    Line("report LEAK --value '/(/'", 64, "is not a regular expression"),
    Line("report LEAK --filter 'error:timeout or elements>0'", 0, "shown: 2 of 4 subscriptions"),
    Line("check LEAK --filter error:timeout", 0, "'--filter' leaves out 1 finding."),
    Line("export LEAK --to csv --filter lane:settings", 0, "settings"),
    Line("report LEAK --sort life", 0, "LANE"),
    Line("report LEAK --limit 1", 0, "more lane"),
    Line("report LEAK --rule undisposed=off", 0, "no findings; undisposed is off"),
    Line("report LEAK --max-active 'set*=0'", 0, "1 max-active"),
    Line("report LEAK --allow request", 0, "no undisposed subscriptions"),
    Line("report LEAK --allow-source '*/Model.swift'", 0, "no undisposed subscriptions"),
    Line("report LEAK --main request", 0, "1 off-main"),
    Line("report LEAK --config SETTINGS", 0, "no findings; undisposed is off"),
    Line("report LEAK --no-config", 0, "1 undisposed subscription"),
    Line("report LEAK --mouse", 0, "1 undisposed subscription"),
    Line("report LEAK --no-view-file", 0, "1 undisposed subscription"),
    Line("follow LEAK --no-view-file | grep -m1 '1 undisposed'", 0, "1 undisposed subscription"),
    Line("replay LEAK --no-view-file --speed max", 0, "0.300000  request #2"),
    Line("follow LEAK --mouse --rule undisposed=off --max-active x=1 | grep -m1 FIND", 0, "is off"),
    Line(
      "follow LEAK --allow request --allow-source '*' --main x | grep -m1 FIND", 0,
      "no undisposed"),
    Line("follow LEAK --config SETTINGS | grep -m1 FINDINGS", 0, "undisposed is off"),
    Line("follow LEAK --no-config | grep -m1 FINDINGS", 0, "1 undisposed subscription"),
    Line("follow LEAK --lane 'res*' | grep -m1 results", 0, "results #1"),
    Line("follow -", 64, "Standard input cannot be followed"),
    Line("follow .", 66, "This is a directory. Name a log file in it."),
    Line("replay LEAK --speed max", 0, "0.300000  request #2"),
    Line("replay LEAK --plain --speed 1000x --skip-gaps", 0, "failed       Timeout()"),
    Line("replay LEAK --speed=max --lane results --from 500ms --to 1s", 0, "disposed"),
    Line("replay LEAK --speed=max --until 150ms", 0, "results #1"),
    Line("replay LEAK --speed=0", 64, "a speed from 1/1000x to 1000x, or max"),
    Line("replay DAMAGED --speed=max --strict", 65, "not a JSON object"),
    Line("replay LEAK --speed=max --mouse --rule x=1", 64, "rule"),
    Line("replay LEAK --speed=max --rule growth=off --max-active x=1", 0, "request #2"),
    Line("replay LEAK --speed=max --allow x --allow-source x --main x", 0, "request #2"),
    Line("replay LEAK --speed=max --config SETTINGS", 0, "request #2"),
    Line("replay LEAK --speed=max --no-config --mouse", 0, "request #2"),
    Line("replay LEAK >/dev/full --speed=max", 74, ""),
    Line("marbles LEAK", 0, "request #2"),
    Line("marbles LEAK --lane results --limit 1 --from 0 --to 1s", 0, "results #1"),
    Line("marbles DAMAGED --strict", 65, "not a JSON object"),
    Line("check CLEAN", 0, "no undisposed subscriptions"),
    Line("check LEAK", 1, "error[undisposed]  9tb1pb  request"),
    Line("check DIED", 2, "inconclusive: the process did not write the end of its log"),
    Line("check DAMAGED --strict", 65, "not a JSON object"),
    Line("check NOTHING", 65, "This is not a trace log"),
    Line("check /nonexistent/log", 66, "There is no such file"),
    Line("check LEAK >/dev/full", 74, ""),
    Line("check LEAK -f json", 1, #""format": "trace-viewer-check""#),
    Line("check LEAK -f junit", 1, "<testsuites>"),
    Line("check LEAK -f sarif", 1, #""version": "2.1.0""#),
    Line("check LEAK -f github", 1, "::error file="),
    Line("check LEAK -f gitlab", 1, #""check_name": "undisposed""#),
    Line("check LEAK -f markdown", 1, "|"),
    Line("check LEAK -o junit:OUT -o sarif:OUT2", 1, "1 undisposed subscription"),
    Line("check LEAK -o junit:/nonexistent/a.xml", 74, "cannot be written"),
    Line("check LEAK --rule undisposed=warning", 0, "warning[undisposed]"),
    Line("check LEAK --rule undisposed=warning --fail-on warning", 1, "warning[undisposed]"),
    Line("check DIED --fail-on any", 1, "unproven[undisposed]"),
    Line("check LEAK --rule nosuch=off", 64, "nosuch"),
    Line("check LEAK --max-active request=0 --rule undisposed=off", 1, "max-active"),
    Line("check LEAK --allow request --allow-source '*'", 0, "no undisposed subscriptions"),
    Line("check LEAK --main 'req*' --fail-on warning --allow x", 1, "off-main"),
    Line("check LEAK --main 'req*' --rule off-main=off --fail-on warning", 1, "1 undisposed"),
    Line("check LEAK --config SETTINGS", 0, "no findings; undisposed is off"),
    Line("check LEAK --config DIED", 64, "DIED:2:1: Expected nothing more"),
    Line("check LEAK --no-config", 1, "1 undisposed subscription"),
    Line("check LEAK --baseline KNOWN --write-baseline", 0, ""),
    Line("check LEAK --baseline KNOWN", 0, "known"),
    Line("check CLEAN --baseline KNOWN", 1, "--prune-baseline"),
    Line("check CLEAN --baseline KNOWN --allow-stale", 0, "no undisposed subscriptions"),
    Line("check CLEAN --baseline KNOWN --prune-baseline", 0, ""),
    Line("check LEAK --baseline KNOWN", 1, "1 undisposed subscription"),
    Line("check LEAK --finding 9tb1pb", 1, "1 undisposed subscription"),
    Line("check LEAK --finding 9tb1pc", 64, "Did you mean '9tb1pb'?"),
    Line("check LEAK -f json --budget 1000 --values", 1, "trace-viewer-brief"),
    Line("check LEAK --budget 1000", 64, "needs '-f json'"),
    Line("run \(leaking)", 1, "1 undisposed subscription"),
    Line("run -- sh -c 'exit 5'", 5, "wrote a log before it exited with code 5, so nothing is"),
    Line("run --strict --no-config \(leaking)", 1, "1 undisposed subscription"),
    Line("run --all --allow 'lane*' --allow-source '*' \(leaking)", 0, "no undisposed"),
    Line("run --rule undisposed=warning --fail-on warning \(leaking)", 1, "warning[undisposed]"),
    Line("run --max-active 'lane*=0' --rule undisposed=off \(leaking)", 1, "max-active"),
    Line("run --main 'lane*' --rule undisposed=off \(leaking)", 0, "undisposed is off"),
    Line("run --config SETTINGS \(leaking)", 0, "no findings; undisposed is off"),
    Line("run -f json \(leaking)", 1, #""format": "trace-viewer-check""#),
    Line("run -o junit:OUT \(leaking)", 1, "1 undisposed subscription"),
    Line("run -o junit:/nonexistent/a.xml \(leaking)", 74, "cannot be written"),
    Line("run --keep LOGS \(leaking)", 1, "To look at them: trace-viewer /"),
    Line("run --keep LOGS \(leaking)", 64, "'LOGS' is not empty"),
    Line("run --baseline NEW --write-baseline \(leaking)", 0, "wrote 1 entry"),
    Line("run --baseline NEW \(leaking)", 0, "1 known finding"),
    Line("run --baseline NEW --allow-stale \(clean)", 0, "no undisposed subscriptions"),
    Line("run --baseline NEW --prune-baseline \(clean)", 0, "1 baseline entry is about a lane"),
    Line("run --finding 9tb1pb \(leaking)", 0, "No finding has the id '9tb1pb' any more"),
    Line("run -f json --budget 500 --values \(leaking)", 1, #""format":"trace-viewer-brief""#),
    Line("run nothing", 64, "trace-viewer run -- nothing"),
    Line("explain growth", 0, "Each repetition of a step"),
    Line("explain grwth", 64, "Did you mean 'growth'?"),
    Line("explain LEAK", 64, "Name the id of a finding after"),
    Line("explain LEAK 9tb1pb --strict --no-config", 0, "still active after 800 ms"),
    Line("explain LEAK 9tb --no-config", 0, "still active after 800 ms"),
    Line("explain LEAK 9tb1px -f text --config SETTINGS", 64, "The logs don't have findings"),
    Line("explain LEAK 9tb1pb --format json --values", 0, #""id":"9tb1pb""#),
    Line("explain LEAK 9tb1pb --rule undisposed=warning", 0, "warning[undisposed]"),
    Line("explain LEAK x --allow request --allow-source '*'", 64, "The logs don't have findings"),
    Line("explain LEAK x --max-active a=0 --main b", 64, "The findings are: 9tb1pb."),
    Line("diff CLEAN LEAK", 1, "new error"),
    Line("diff LEAK CLEAN", 0, "fixed"),
    Line("diff LEAK LEAK", 0, ""),
    Line("diff CLEAN DIED", 2, "inconclusive"),
    Line("diff CLEAN LEAK -f json", 1, #""format": "trace-viewer-diff""#),
    Line("diff CLEAN LEAK -f markdown --lane request", 1, "|"),
    Line("diff CLEAN DAMAGED --strict", 65, "not a JSON object"),
    Line("diff CLEAN LEAK --rule undisposed=off --max-active x=1 --main x", 0, ""),
    Line("diff CLEAN LEAK --allow request --allow-source x --no-config", 1, "new error"),
    Line("diff CLEAN LEAK --allow request --config SETTINGS", 0, ""),
    Line("export LEAK --to perfetto -o OUT", 0, ""),
    Line("export LEAK --to chrome", 64, "has a format of its own: '--to perfetto'"),
    Line("export LEAK --to otlp --strict", 0, #""resourceSpans""#),
    Line("export LEAK --to csv --lane request --scope screen --from 0 --until 1s", 0, "time_ns,"),
    Line("export LEAK --to csv --output /nonexistent/a", 74, "cannot be written"),
    Line("export LEAK --to otlp --rule undisposed=warning", 0, #""stringValue":"warning""#),
    Line("export LEAK --to otlp --max-active request=0 --no-config", 0, "max-active "),
    Line("export LEAK --to otlp --main request --config SETTINGS", 0, "off-main "),
    Line("export LEAK --to otlp --allow request --allow-source x", 0, "undisposed 9tb1pb"),
    Line("repair DAMAGED -o OUT", 0, "not a JSON object"),
    Line("repair OUT --output OUT2", 0, ""),
    Line("verify DAMAGED", 65, "not a JSON object"),
    Line("report OUT2 --strict", 0, "search-sample"),
    Line("run --timeout 1m --total-timeout 1m --full \(clean)", 0, "no undisposed subscriptions"),
    Line("tasks $$", 0, "PROCESS"),
    Line("tasks --format text --full $$", 0, "THREADS"),
    Line("tasks -f json $$", 0, #""event":"process""#),
    Line("tasks --sysroot / /nonexistent/core", 66, "cannot be opened"),
    Line("leaks --sysroot / /nonexistent/core", 66, "cannot be opened"),
    Line("run --leaks -- true", 2, "nothing to check"),
    Line("leaks $$", 69, "It is not a Swift program"),
    Line("leaks --all --stop --save SAVED --strict --no-config $$", 69, "not a Swift program"),
    Line("leaks --compare LEAK $$", 65, "has no numbers of objects"),
    Line("leaks -f json -o junit:OUT --fail-on warning --rule unreachable=off $$", 69, "Swift"),
    Line("leaks --max-active a=0 --allow x --allow-source '*' --main y $$", 69, "Swift"),
    Line("leaks --finding 9tb1pb -f json --budget 100 --values $$", 69, "Swift"),
    Line("leaks --config SETTINGS --baseline NEW --allow-stale $$", 69, "Swift"),
    Line("leaks --baseline NEW --write-baseline $$", 69, "Swift"),
    Line("leaks --baseline NEW --prune-baseline $$", 69, "Swift"),
    Line("tasks --watch 2147483647", 69, "No process has the number 2147483647"),
    Line("mcp --rule undisposed=off --max-active a=0 --no-config", 0, ""),
    Line("mcp --allow a --allow-source b --main c --config SETTINGS", 0, ""),
    Line("mcp --rule undisposd=off", 64, "Did you mean 'undisposed'?"),
    Line("mcp LEAK", 64, "'mcp' takes only options. Remove '"),
    Line("repair DAMAGED", 64, "'--output=FILE'"),
    Line("help check", 0, "trace-viewer check [OPTIONS] LOG..."),
    Line("--generate-completion-script bash", 0, "complete"),
    Line("--generate-completion-script zsh", 0, "#compdef trace-viewer"),
    Line("--generate-completion-script fish", 0, "complete -c trace-viewer"),
    Line("--generate-manual", 0, ".Dd"),
  ]

  /// The options that all commands have.
  private static let everywhere = [
    Line("%@ --help", 0, "EXAMPLES"), Line("%@ -h", 0, "OPTIONS"),
    Line("%@ --version", 0, "trace-viewer 0.1.0"), Line("%@ --help --ascii", 0, "EXAMPLES"),
    Line("%@ --help --color=always", 0, "\u{1B}["),
  ]

  @Test("Every option has the expected effect and exit code")
  func lines() throws {
    let directory = TemporaryDirectory()
    let scope = [
      #"{"t":1,"event":"scope-begin","scope":1,"name":"screen"}"#,
      #"{"t":950000000,"event":"mark","name":"here"}"#,
    ]
    var leak = SampleLog.leak.split(separator: "\n").map(String.init)
    leak.insert(contentsOf: scope, at: 1)
    // The record count in the last line doesn't include the two inserted lines yet.
    let log = leak.joined(separator: "\n").replacing(
      #""parent":1}"#, with: #""parent":1,"scope":1}"#, maxReplacements: 1
    )
    .replacing(#""records":9"#, with: #""records":11"#)
    let files = [
      "LEAK": log, "CLEAN": SampleLog.ofAnother(SampleLog.clean, process: 2),
      "DIED": SampleLog.ofAnother(SampleLog.died, process: 3),
      "DAMAGED": SampleLog.clean + "noise\n", "NOTHING": "nothing\n",
      "SETTINGS": #"{"rules":{"undisposed":"off"}}"#,
    ]
    for (name, text) in files { directory.write(text, to: name) }
    let helper = BuiltProgram.path(of: "TraceWriterHelper")
    for line in Self.lines {
      let said = try BuiltProgram.run(
        line.arguments + " 2>&1",
        before: "cd '\(directory.path)' && LC_ALL=C.UTF-8 GITHUB_ACTIONS= HELPER='\(helper)' ")
      #expect(said.hasSuffix("\(line.code)\n"), "\(line.arguments): \(said)")
      #expect(line.says.isEmpty || said.contains(line.says), "\(line.arguments): \(said)")
    }
  }

  @Test(
    "Every command supports the common options",
    arguments: CommandTable.commands.map(\.name.rawValue))
  func common(command: String) throws {
    for line in Self.everywhere {
      let arguments = line.arguments.replacing("%@", with: command)
      let said = try BuiltProgram.run(arguments + " 2>&1", before: "LC_ALL=C.UTF-8 ")
      #expect(said.hasSuffix("\(line.code)\n"), "\(arguments): \(said)")
      #expect(said.contains(line.says), "\(arguments)")
    }
  }

  @Test("Every option and choice of every command is tested")
  func coverage() {
    for command in CommandTable.commands where command.name != .help {
      let own = Self.lines.map(\.arguments).filter { line in
        let first = line.split(separator: " ").first.map(String.init) ?? ""
        return first == command.name.rawValue
          || (command.name == .report && CommandSpec.Name(rawValue: first) == nil)
      }
      for option in CommandTable.ownOptions(of: command.name) {
        let spellings =
          option.spellings.map { "--" + $0 } + (option.letter.map { ["-\($0)"] } ?? [])
        let uses = own.filter { line in
          spellings.contains { line.contains(" \($0)") || line.hasPrefix($0) }
        }
        #expect(!uses.isEmpty, "\(command.name.rawValue) \(spellings)")
      }
    }
  }
}
