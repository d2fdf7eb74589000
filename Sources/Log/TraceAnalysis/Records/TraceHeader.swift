/// The description of the process that wrote a log, from the first line of the log.
package struct TraceHeader: Equatable, Sendable {
  /// The version of the format. If the log has no whole number here, this is newer than any known
  /// version.
  package var version: Int
  /// The version as written in the log, if it is not a whole number.
  package var oddVersion: String?
  package var trace: String?
  package var process: String?
  package var pid: UInt64?
  package var host: String?
  /// The wall-clock time at time 0, in RFC 3339 format.
  package var started: String?
  package var recorder: String?
  /// The number of this file among the files of the log, from 1, or nil if unknown.
  package var segment: UInt64?
  /// The name of the run to which the process belongs, or nil if it is not known.
  package var run: String?
  /// The number of logs of the same run that were in the file before and are lost.
  package var replaced: UInt64

  package init(
    version: Int, oddVersion: String? = nil, trace: String? = nil, process: String? = nil,
    pid: UInt64? = nil,
    host: String? = nil, started: String? = nil, recorder: String? = nil,
    segment: UInt64? = nil, run: String? = nil, replaced: UInt64 = 0
  ) {
    self.version = version
    self.oddVersion = oddVersion
    self.trace = trace
    self.process = process
    self.pid = pid
    self.host = host
    self.started = started
    self.recorder = recorder
    self.segment = segment
    self.run = run
    self.replaced = replaced
  }
}
