package import TraceAnalysis
import TraceFormat
import ViewerConsole

extension FindingWords {
  /// Returns how the program came to make the subscriptions of a finding, as text such as `made
  /// from CartTests.titleLeaks() (CartTests.swift:10), while the test CartTests/titleLeaks() ran`.
  /// It has one text for each different way, up to a limit.
  package func origins(of group: FindingGroup) -> [String] {
    OriginWords.texts(log.origins(of: group)).map { page.safe($0) }
  }
}

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
    guard let test = origin.test, !origin.calls.contains(where: { isFunction($0, of: test) }) else {
      return calls
    }
    // The calls already say where the test is.
    let place = calls.isEmpty ? test.source.map { " (\(file($0)))" } ?? "" : ""
    let words = "while the test \(test.name)\(place) ran"
    return calls.isEmpty ? words : calls + ", " + words
  }

  /// Returns a text for each of the first origins of a finding. The last one says how many there
  /// are in all.
  static func texts(_ origins: [FindingOrigin]) -> [String] {
    let texts = origins.prefix(maxOrigins).map { "made " + text($0) }
    guard origins.count > maxOrigins else { return texts }
    return texts + ["and in \(CountText.make(origins.count - maxOrigins, "other way"))"]
  }

  /// Reports whether a call is that of the test itself, so that it names the test already.
  private static func isFunction(_ call: UnfinishedTask.Call, of test: FindingOrigin.Test) -> Bool {
    func words(_ name: String) -> [Substring] { name.split { $0 == "/" || $0 == "." } }
    // XCTest has no parentheses in the names of its tests.
    let name = test.name.hasSuffix(")") ? test.name : test.name + "()"
    return call.function.map { words($0).suffix(2) == words(name).suffix(2) } ?? false
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
