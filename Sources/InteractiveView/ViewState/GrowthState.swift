import TraceAnalysis
import TraceFormat

/// What grew between the marks, which takes a while to find.
struct GrowthState: Sendable {
  private var found: (rows: [Increase], key: SummaryKey)?
  /// A number that changes when the rows are about something else.
  private(set) var revision = 0
  /// The state of the log that was requested last.
  private var requested: SummaryKey?

  /// Notes a request. Returns false if the same was requested already.
  mutating func request(_ key: SummaryKey) -> Bool {
    guard key != requested else { return false }
    requested = key
    return true
  }

  /// Takes what grew. The growth in another range or with another
  /// filter is ignored. That of an earlier state of the log is used until a newer one arrives.
  mutating func take(_ rows: [Increase], _ key: SummaryKey, wanted: SummaryKey) {
    guard key.isAboutSame(as: wanted) else { return }
    if found?.key.isAboutSame(as: key) != true { revision += 1 }
    found = (rows, key)
  }

  /// Returns what grew, or `nil` until it is found.
  func rows(_ wanted: SummaryKey) -> [Increase]? {
    guard let found, found.key.isAboutSame(as: wanted) else { return nil }
    return found.rows
  }
}

/// The recording of what grows while a log is written.
struct GrowthRecording: Equatable, Sendable {
  /// The first time of the recording, which is after everything that the log had when it began.
  let start: Nanoseconds
}

extension SummaryKey {
  /// Reports whether two keys are about the same range, filter and log, whose states may differ.
  fileprivate func isAboutSame(as other: SummaryKey) -> Bool {
    range == other.range && filter == other.filter && restarts == other.restarts
  }
}
