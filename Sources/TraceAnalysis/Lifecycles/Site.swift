package import TraceFormat

/// The properties that all subscriptions made at one source location share.
package final class Site: Sendable {
  package let lane: String
  /// The source location, such as `Module/File.swift:42`; `nil` if the log does not say.
  package let source: String?
  package let function: String?
  package let type: String?
  package let op: LogFormat.Operator?

  /// The source file, without the line.
  package var file: String? { source.map { SourceText($0).file } }

  /// The line in the source file.
  package var line: Int? { source.flatMap { SourceText($0).line } }

  package init(
    lane: String, source: String? = nil, function: String? = nil, type: String? = nil,
    op: LogFormat.Operator? = nil
  ) {
    self.lane = lane
    self.source = source
    self.function = function
    self.type = type
    self.op = op
  }
}
