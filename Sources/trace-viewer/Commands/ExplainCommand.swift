import TerminalUI
import TraceAnalysis
import TraceReports
import ViewerCommandLine
import ViewerConsole

/// The command `trace-viewer explain RULE`: explains what a rule finds, why, and what to do.
/// Without a rule, it lists all rules. `trace-viewer explain LOG ID` prints a finding in full.
enum ExplainCommand {
  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    let operands = console.arguments.operands
    let page = console.helpPage
    guard let name = operands.first else {
      console.write(RuleView.list(page))
      return .clean
    }
    guard operands.count == 1 else {
      if RuleBook.rule(name) != nil, !console.fileExists(name) {
        throw .extraOperand(operands[1], .explain)
      }
      if FindingID.isID(name), !console.fileExists(name) { throw .missingLog(ofFinding: name) }
      return try explain(operands[operands.count - 1], in: LogPaths(operands.dropLast()), console)
    }
    guard let rule = RuleBook.rule(name) else {
      if console.fileExists(name) { throw .missingFinding(name) }
      throw FindingID.isID(name) ? .missingLog(ofFinding: name) : .unknownRule(name, .explain)
    }
    console.write(RuleView(rule: rule).lines(page))
    return .clean
  }

  private static func explain(
    _ id: String, in paths: LogPaths, _ console: Console
  ) throws(UsageError) -> ExitCode {
    let format = console.arguments.choice(.format, ExplainFormat.self) ?? .text
    if console.arguments.has(.values), format != .json {
      throw UsageError(.missingOption, .explain, "'--values' needs '-f json'.")
    }
    let settings = try LoadedSettings.load(console)
    let opened = OpenedLogs(paths, console)
    guard opened.isUsable else { return opened.failure ?? .notALog }
    let groups = Verdict(opened.analysis, settings.rules).groups
    let found = groups.found(by: id)
    guard found.count == 1, let group = found.first else {
      throw .unexplainedFinding(id, ids: groups.map(\.id.description))
    }
    let explanation = FindingExplanation(opened.analysis, group)
    switch format {
    case .text: console.write(explanation.lines(console.page))
    case .json:
      let fence = console.arguments.has(.values) ? ValueFence() : nil
      console.out.output.write(explanation.brief(fence, console))
    }
    return opened.failure ?? .clean
  }
}
