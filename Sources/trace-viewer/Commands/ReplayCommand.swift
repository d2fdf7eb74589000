import InteractiveView
import TraceAnalysis
import TraceReports
import ViewerConsole

/// The command `trace-viewer replay LOG...`: plays a log in the interactive view or prints it as
/// lines.
enum ReplayCommand {
  /// The options that require line output. The interactive view has keys for them.
  private static let plainOptions: Set<OptionSpec.Name> = [.lane, .from, .until, .strict]

  static func run(_ console: Console) throws(UsageError) -> ExitCode {
    let arguments = console.arguments
    let speed = arguments[.speed].flatMap { ReplaySpeed($0) } ?? ReplaySpeed()
    let isPlain =
      arguments.has(.plain) || !arguments.options.isDisjoint(with: plainOptions)
      || speed == .max || !InteractiveCommand.canShow(console)
    guard !isPlain, let keyboard = console.keyboard() else { return try print(console, speed) }
    var replay = Replay(speed: speed, skipsGaps: arguments.has(.skipGaps))
    replay.play()
    return try InteractiveCommand.run(console, keyboard, replay: replay)
  }

  private static func print(_ console: Console, _ speed: ReplaySpeed) throws(UsageError) -> ExitCode
  {
    let filter = try ReportFilter(console.arguments)
    let opened = OpenedSnapshot(LogPaths(console.arguments.operands), console)
    guard opened.isUsable else { return opened.failure ?? .notALog }
    let times = try TimeRange.of(console.arguments, opened.snapshot.analysis)
    let chosen = try filter.filter(
      of: opened.snapshot.analysis, isWhole: opened.failure == nil)
    do throws(LogError) {
      let excerpt = try chosen.excerpt(of: opened.snapshot.analysis)
      let replay = PlainReplay(
        opened.snapshot, excerpt, times, speed, skipsGaps: console.arguments.has(.skipGaps))
      try replay.run(console)
      return opened.failure ?? .clean
    } catch {
      return OpenedLogs.report(error, console)
    }
  }
}
