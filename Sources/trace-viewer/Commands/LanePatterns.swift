import TraceAnalysis
import TraceFormat
import ViewerCommandLine
import ViewerConsole

/// The patterns of `--lane`. Each must match a lane of a log that is complete, because a mistyped
/// name would otherwise select nothing, which looks like a log without problems.
struct LanePatterns {
  private let texts: [String]
  let patterns: [GlobPattern]

  init(_ arguments: ParsedArguments) {
    texts = arguments.all(.lane)
    patterns = texts.map { GlobPattern($0) }
  }

  /// Reports whether to show a lane. Without patterns, all lanes are shown.
  func matches(_ lane: String) -> Bool {
    patterns.isEmpty || patterns.contains { $0.matches(lane) }
  }

  /// Throws an error that names the closest lane if a pattern matches no lane.
  func requireMatches(
    in logs: [LogAnalysis], _ command: CommandSpec.Name
  ) throws(UsageError) {
    guard !texts.isEmpty else { return }
    let lanes = Set(logs.flatMap { $0.lifecycles.map(\.site.lane) }).sorted()
    for (text, pattern) in zip(texts, patterns) {
      guard lanes.contains(where: pattern.matches) else {
        throw .unknownLane(text, lanes: lanes, command)
      }
    }
  }
}
