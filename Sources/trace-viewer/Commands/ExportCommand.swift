/// `trace-viewer export`.
enum ExportCommand {
  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    throw .notBuilt(.export)
  }
}
