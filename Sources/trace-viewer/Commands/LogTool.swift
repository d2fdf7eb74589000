import TraceAnalysis

/// The tools of `trace-viewer mcp`.
enum LogTool: String, CaseIterable {
  case findings, explain, compare, statistics, search, tasks

  static let usualTokens = 1000

  private static let log = ToolSpec.Argument(
    name: "log", kind: .text, isRequired: true, meaning: "Path of a log, or of a folder of logs")
  private static let budget = ToolSpec.Argument(
    name: "budget", kind: .integer(100...5000),
    meaning: "Maximum tokens, \(usualTokens) by default")
  private static let values = ToolSpec.Argument(
    name: "values", kind: .flag, meaning: "Add values of the log, between random tags")

  private static func text(
    _ name: String, _ meaning: String, isRequired: Bool = false
  ) -> ToolSpec.Argument {
    ToolSpec.Argument(name: name, kind: .text, isRequired: isRequired, meaning: meaning)
  }

  var spec: ToolSpec {
    let (summary, arguments) = content
    return ToolSpec(name: rawValue, summary: summary, arguments: arguments)
  }

  private var content: (summary: String, arguments: [ToolSpec.Argument]) {
    switch self {
    case .findings:
      (
        "List what is wrong in a log: leaks, stuck tasks, misuse. Ranked index, most urgent first, "
          + "and as many findings in full as fit.",
        [Self.log, Self.budget, Self.values]
      )
    case .explain:
      (
        "One finding in at most 400 tokens: what to do, the line to edit, what keeps it alive.",
        [Self.log, Self.text("id", "Id of a finding", isRequired: true), Self.values]
      )
    case .compare:
      (
        "Compare the logs of two runs: new and fixed findings, changed lanes.",
        [
          Self.text("old", "Path of the earlier log", isRequired: true),
          Self.text("new", "Path of the later log", isRequired: true), Self.budget,
        ]
      )
    case .statistics:
      (
        "Count subscriptions and elements by lane, those with active subscriptions first.",
        [Self.log, Self.budget]
      )
    case .search:
      (
        "Find subscriptions: place, state, age, and the finding about each.",
        [
          Self.log,
          Self.text(
            "query",
            "Text, /regex/i, value:x, error:x, lane:a.*, source:*.swift, state:failed, id:7, "
              + "rule:x, life>1s, elements>9, alive:60%; and, or, not, ( )"),
          Self.budget,
        ]
      )
    case .tasks:
      (
        "Show what the tasks and threads of a running Swift process wait for (Linux), and the most "
          + "probable reason why it hangs.",
        [
          ToolSpec.Argument(name: "pid", kind: .integer(1...Int(Int32.max)), isRequired: true),
          Self.budget,
        ]
      )
    }
  }
}
