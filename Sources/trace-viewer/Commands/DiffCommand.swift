/// `trace-viewer diff`.
enum DiffCommand {
  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    throw .notBuilt(.diff)
  }
}
