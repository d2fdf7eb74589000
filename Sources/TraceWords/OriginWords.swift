package import TraceAnalysis
import TraceFormat

/// The words for how the program came to make a subscription.
package enum OriginWords {
  /// The maximum number of calls and of origins in a text.
  private static let maxCalls = 3
  private static let maxOrigins = 3

  /// Returns text such as `from CartTests.titleLeaks() (CartTests.swift:10), while the test
  /// CartTests/titleLeaks() ran`.
  package static func text(_ origin: FindingOrigin) -> String {
    let shown = origin.calls.prefix(maxCalls).map(text)
    var calls = shown.isEmpty ? "" : "from " + shown.joined(separator: ", called by ")
    let rest = origin.calls.dropFirst(maxCalls)
    // The outermost call is usually the test or the entry of the program.
    if let last = rest.last { calls += (rest.count > 1 ? ", ..., " : ", called by ") + text(last) }
    guard let test = origin.test else { return calls }
    // The calls already say where the test is.
    let place = calls.isEmpty ? test.source.map { " (\(file($0)))" } ?? "" : ""
    let words = "while the test \(test.name)\(place) ran"
    return calls.isEmpty ? words : calls + ", " + words
  }

  /// Returns a text for each of the first origins of a finding, and the number of those left out.
  package static func texts(_ origins: [FindingOrigin]) -> (texts: [String], rest: Int) {
    (origins.prefix(maxOrigins).map(text), max(0, origins.count - maxOrigins))
  }

  private static func text(_ call: UnfinishedTask.Call) -> String {
    let place = call.source.map(file)
    guard let function = call.function else { return place ?? "unknown code" }
    return place.map { "\(function) (\($0))" } ?? function
  }

  private static func file(_ source: String) -> String {
    String(source.split(separator: "/").last ?? "")
  }
}
