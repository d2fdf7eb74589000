package import TraceFormat

/// The source location where a subscription is traced, with its lane and its operator.
@usableFromInline
package struct TraceSite: Sendable {
  @usableFromInline package let lane: String
  package let `operator`: LogFormat.Operator
  /// The source location, such as `Module/File.swift:42`, or nil if only `place` identifies it.
  package let source: String?
  package let function: String?
  /// The location that names an observation without a name.
  let place: ObservedPlace?

  /// Creates a site for the operator `lane`.
  @usableFromInline
  package init(lane: String, source: String?, function: String?) {
    self.init(lane: lane, operator: .lane, source: source, function: function)
  }

  package init(
    lane: String, operator: LogFormat.Operator, source: String? = nil, function: String? = nil,
    place: ObservedPlace? = nil
  ) {
    self.lane = lane
    self.operator = `operator`
    self.source = source
    self.function = function
    self.place = place
  }
}
