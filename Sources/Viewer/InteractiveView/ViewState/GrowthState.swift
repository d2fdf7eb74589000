import TraceAnalysis
import TraceFormat

/// What grew between the marks, which takes a while to find.
struct GrowthState: Sendable {
  private var found: (rows: [Increase], key: SummaryKey)?
  /// A number that changes when the rows are about something else.
  private(set) var revision = 0
  var request = LatestRequest()

  /// Takes what grew. The growth in another range or with another filter is ignored. That of an
  /// earlier state of the log is used until a newer one arrives.
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
