/// Where in the source a subscription is traced, and as what.
struct TraceSite {
  let lane: String
  let `operator`: LogFormat.Operator
  /// `Module/File.swift:42`.
  let source: String
  let function: String
  let lifetime: Trace.Lifetime
}
