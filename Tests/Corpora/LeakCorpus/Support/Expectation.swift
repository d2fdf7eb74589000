/// The expected report about a case, for the runner (Tests/Scripts/corpus.py).
struct Expectation: Encodable, Sendable {
  enum Verdict: String, Encodable { case leak, fine }

  let name: String
  /// The file that contains the case, as `Module/File.swift`.
  let file: String
  let verdict: Verdict
  /// The lanes of the findings. In a case without a leak, the lanes that are observed.
  let lanes: [String]
  /// The lanes that leak only because the ones in `lanes` do.
  var upstream: [String] = []
  var rule: String?
  /// The kind of the explanation: `cycle` or `path`.
  var kind: String?
  /// Strings that must all occur in the steps of the cycle or path.
  var path: [String] = []
  /// Fields that may also occur in the steps. Other fields of the case's types must not.
  var also: [String] = []
  /// Strings, one of which must occur in the first step of a path.
  var roots: [String] = []
  /// Strings that must all occur in the sentence about the holder.
  var holder: [String] = []
  /// A string that must occur in the step to break.
  var breaks: String?
  /// A Boolean value that indicates whether the object under test is alive at the end.
  let alive: Bool
  /// The number of mistakes in a report without lanes, if it differs from the report with lanes.
  var withoutLanes: Int?
  /// The reason why a release build may miss the explanation.
  var release: String?
}
