@testable import ReactiveTrace
@testable import TraceFormat

extension LogIdentity {
  static let golden = LogIdentity(
    trace: "9f0c2d4e8b7a61530f1e2d3c4b5a6978", process: "search-sample", pid: 4242, host: "ci-7",
    started: "2026-11-20T23:48:50.123456789Z")
}

extension Recorder {
  func subscription(_ lane: String = "search.results") -> TracedSubscription {
    TracedSubscription(
      recorder: self,
      site: SharedSite(
        TraceSite(lane, file: "SearchSample/SearchModel.swift", line: 42, function: "bind()"),
        type: "Array<String>", encodesParts: true))
  }
}
