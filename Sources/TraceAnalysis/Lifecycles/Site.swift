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
  package var file: String? {
    guard let source else { return nil }
    guard let colon = source.lastIndex(of: ":"), Int(source[source.index(after: colon)...]) != nil
    else { return source }
    return String(source[..<colon])
  }

  /// The line in the source file.
  package var line: Int? {
    guard let source, let colon = source.lastIndex(of: ":") else { return nil }
    return Int(source[source.index(after: colon)...])
  }

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
