/// What the first line of a log says about the process that wrote it.
package struct TraceHeader: Equatable, Sendable {
  /// Newer than any that is known where it is no whole number.
  package var version: Int
  /// The version as the log has it, where it is no whole number.
  package var oddVersion: String?
  package var trace: String?
  package var process: String?
  package var pid: UInt64?
  package var host: String?
  /// Wall clock when time was 0, RFC 3339.
  package var started: String?
  package var recorder: String?
  /// Which of its files this is, from 1; nil where the log does not say.
  package var segment: UInt64?

  package init(
    version: Int, oddVersion: String? = nil, trace: String? = nil, process: String? = nil,
    pid: UInt64? = nil,
    host: String? = nil, started: String? = nil, recorder: String? = nil,
    segment: UInt64? = nil
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
  }
}
