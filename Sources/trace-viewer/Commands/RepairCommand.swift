/// `trace-viewer repair`.
enum RepairCommand {
  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    throw .notBuilt(.repair)
  }
}
