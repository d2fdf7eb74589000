import TraceAnalysis
import TraceReports
import ViewerCommandLine
import ViewerConsole

/// The command `trace-viewer explain RULE`: explains what a rule finds, why, and what to do.
/// Without a rule, it lists all rules.
enum ExplainCommand {
  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    let page = console.helpPage
    guard let name = console.arguments.operands.first else {
      console.write(RuleView.list(page))
      return .clean
    }
    guard let rule = RuleBook.rule(name) else { throw .unknownRule(name, .explain) }
    console.write(RuleView(rule: rule).lines(page))
    return .clean
  }
}
