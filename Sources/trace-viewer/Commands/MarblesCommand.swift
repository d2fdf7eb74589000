import TraceAnalysis
import TraceFormat
import TraceReports
import ViewerConsole

/// The command `trace-viewer marbles LOG...`: prints every subscription as a row of marbles.
enum MarblesCommand {
  /// The default number of rows.
  private static let usualLimit = 20

  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    let arguments = console.arguments
    let opened = OpenedLogs(LogPaths(arguments.operands), console)
    guard opened.isUsable else { return opened.failure ?? .notALog }
    let window = try window(arguments, opened.analysis)
    let lanes = LanePatterns(arguments)
    if opened.failure == nil { try lanes.requireMatches(in: [opened.analysis], .marbles) }
    let limit = arguments.count(.limit) ?? usualLimit
    do throws(LogError) {
      let diagram = try MarbleDiagram(
        opened.analysis, window: window, limit: limit == 0 ? nil : limit, shows: lanes.matches)
      console.write(MarblesView(log: opened.analysis, diagram: diagram).lines(console.page))
      return opened.failure ?? .clean
    } catch {
      return OpenedLogs.report(error, console)
    }
  }

  /// Returns the time range of `--from` and `--to`, up to the end of the logs.
  private static func window(
    _ arguments: ParsedArguments, _ log: LogAnalysis
  ) throws(UsageError) -> TimeRange {
    let times = try TimeRange.of(arguments, log)
    return times.hasEnd ? times : TimeRange(from: times.start, through: log.duration)
  }
}
