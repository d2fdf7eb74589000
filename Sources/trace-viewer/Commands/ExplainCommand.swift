/// `trace-viewer explain`.
enum ExplainCommand {
  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    throw .notBuilt(.explain)
  }
}
