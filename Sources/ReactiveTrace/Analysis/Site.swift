/// What all subscriptions made in one place of the source share.
package final class Site: Sendable {
  package let lane: String
  /// `Module/File.swift:42`; `nil` where the log does not say.
  package let source: String?
  package let function: String?
  package let type: String?
  package let op: LogFormat.Operator?

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
