package import TraceFormat

/// Where in the source a subscription is traced, and as what.
@usableFromInline
package struct TraceSite: Sendable {
  @usableFromInline package let lane: String
  package let `operator`: LogFormat.Operator
  /// `Module/File.swift:42`; nil where only `frames` tell.
  package let source: String?
  package let function: String?
  /// The return addresses of an observation that nobody named, the innermost first: `0x1a2b3 0x1c4d5`.
  package let frames: String?

  /// Of the operator `lane`.
  @usableFromInline
  package init(lane: String, source: String?, function: String?) {
    self.init(lane: lane, operator: .lane, source: source, function: function)
  }

  package init(
    lane: String, operator: LogFormat.Operator, source: String? = nil, function: String? = nil,
    frames: String? = nil
  ) {
    self.lane = lane
    self.operator = `operator`
    self.source = source
    self.function = function
    self.frames = frames
  }
}
