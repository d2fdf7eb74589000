import SystemLibrary
import TraceReports

/// The time limits of a command: for the whole command, and since its last output.
final class CommandWatch {
  private let sinceOutput: Int?
  private let total: Int?
  private let start = LogClock.monotonic()
  private var lastOutput = LogClock.monotonic()
  private let streams: CommandStreams
  private var shared: SharedStreams

  /// Starts to watch.
  ///
  /// - Parameters:
  ///   - sinceOutput: The maximum time since the last output, in nanoseconds.
  ///   - total: The maximum time in total, in nanoseconds.
  ///   - streams: The streams of the command.
  init(sinceOutput: Int?, total: Int?, _ streams: CommandStreams) {
    self.sinceOutput = sinceOutput
    self.total = total
    self.streams = streams
    shared = SharedStreams(streams.direct)
  }

  /// The time to wait for a signal before `reachedLimit` must be asked again, in nanoseconds. It is
  /// nil without limits.
  var pause: Int? {
    guard let shortest = [sinceOutput, total].compactMap(\.self).min() else { return nil }
    return max(10_000_000, min(shortest / 20, 500_000_000))
  }

  /// The limit that was reached, if any.
  var reachedLimit: RunLimit? {
    let now = LogClock.monotonic()
    if let total, now - start >= total { return .total(total) }
    guard let sinceOutput else { return nil }
    if shared.hasGrown() { lastOutput = now }
    lastOutput = max(lastOutput, streams.lastOutput ?? 0)
    // The system only notes the time of output to a terminal every eight seconds.
    let uncertainty = shared.hasTerminal ? 8_000_000_000 : 0
    return now - lastOutput >= sinceOutput + uncertainty
      ? .sinceOutput(sinceOutput) : nil
  }
}

/// What the system notes about the streams that a command shares with this process.
private struct SharedStreams {
  private let streams: [Int32]
  /// The times of the last changes to the streams, and their sizes.
  private var times: [Int]
  /// A Boolean value that indicates whether one of the streams is a terminal.
  let hasTerminal: Bool

  init(_ streams: [Int32]) {
    self.streams = streams
    times = Self.times(of: streams)
    hasTerminal = streams.contains { isatty($0) == 1 }
  }

  /// Returns whether somebody has written to the streams since the last call.
  mutating func hasGrown() -> Bool {
    let current = Self.times(of: streams)
    defer { times = current }
    return current != times
  }

  private static func times(of streams: [Int32]) -> [Int] {
    #if os(Linux)
      streams.flatMap { stream -> [Int] in
        var status = stat()
        guard fstat(stream, &status) == 0 else { return [] }
        return [status.st_mtim.tv_sec, status.st_mtim.tv_nsec, Int(status.st_size)]
      }
    #else
      []
    #endif
  }
}
