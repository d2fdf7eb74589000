/// `trace-viewer marbles`.
enum MarblesCommand {
  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    throw .notBuilt(.marbles)
  }
}
