import HostSafety
import InspectionReports
import ProcessInspection
import SystemLibrary

/// The time limits of a command: for the whole command, and since its last output.
final class CommandWatch {
  private let sinceOutput: Int?
  private let total: Int?
  private let start = LogClock.monotonic()
  private var lastOutput = LogClock.monotonic()
  private var output = CommandOutput()

  /// Starts to watch.
  ///
  /// - Parameters:
  ///   - sinceOutput: The maximum time since the last output, in nanoseconds.
  ///   - total: The maximum time in total, in nanoseconds.
  init(sinceOutput: Int?, total: Int?) {
    self.sinceOutput = sinceOutput
    self.total = total
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
    if output.hasGrown() { lastOutput = now }
    // The system only notes the time of output to a terminal every eight seconds.
    let uncertainty = output.isCoarse ? 8_000_000_000 : 0
    return now - lastOutput >= sinceOutput + uncertainty
      ? .sinceOutput(sinceOutput) : nil
  }
}

/// What can be seen of the output of a command without being between the command and its reader: a
/// command behaves differently if its output isn't a terminal.
private struct CommandOutput {
  /// The times of the last changes to standard output and standard error, and their sizes.
  private var times: [Int] = []
  /// A Boolean value that indicates whether the times are those of a terminal.
  private(set) var isCoarse = false
  #if os(Linux)
    private var pipes: ProcessOutput?
  #endif

  init() {
    times = Self.times()
    var unknown: [FileIdentity] = []
    for file in Self.files {
      var status = stat()
      guard fstat(file, &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFREG: break
      case S_IFCHR where isatty(file) == 1: isCoarse = true
      default: unknown.append(FileIdentity(status))
      }
    }
    #if os(Linux)
      if !unknown.isEmpty { pipes = ProcessOutput(to: unknown) }
    #endif
  }

  /// Returns whether the command has written anything since the last call.
  mutating func hasGrown() -> Bool {
    let current = Self.times()
    defer { times = current }
    var hasGrown = current != times
    #if os(Linux)
      if pipes != nil {
        // What processes without a parent have written is added to this one when they end.
        let processes = [getpid()] + ProcessEntry.descendants(of: getpid()).map(\.process)
        hasGrown = pipes?.hasGrown(in: processes) == true || hasGrown
      }
    #endif
    return hasGrown
  }

  private static let files = [STDOUT_FILENO, STDERR_FILENO]

  private static func times() -> [Int] {
    #if os(Linux)
      files.flatMap { file -> [Int] in
        var status = stat()
        guard fstat(file, &status) == 0 else { return [] }
        return [status.st_mtim.tv_sec, status.st_mtim.tv_nsec, Int(status.st_size)]
      }
    #else
      []
    #endif
  }
}
