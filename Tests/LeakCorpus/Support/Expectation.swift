/// The expected report about a case, for the runner (Tests/Scripts/corpus.py).
struct Expectation: Encodable, Sendable {
  enum Verdict: String, Encodable { case leak, fine }

  let name: String
  /// The file that has the case, as `Module/File.swift`.
  let file: String
  let verdict: Verdict
  /// The lanes that the findings are about. In a case without a leak, the lanes that are observed.
  let lanes: [String]
  /// The lanes that leak only because those of `lanes` do.
  var upstream: [String] = []
  var rule: String?
  /// The kind of the explanation: `cycle` or `path`.
  var kind: String?
  /// Texts that must all occur in the steps of the cycle or path.
  var path: [String] = []
  /// Fields that may occur in the steps, too. No other field of the case's types may.
  var also: [String] = []
  /// Texts of which one must occur in the first step of a path.
  var roots: [String] = []
  /// Texts that must all occur in the sentence about the holder.
  var holder: [String] = []
  /// A text of the step to break.
  var breaks: String?
  /// A Boolean value that indicates whether the object of the case is alive at the end.
  let alive: Bool
  /// The number of mistakes that a run without lanes may report, if it is not that of the lanes.
  var withoutLanes: Int?
  /// The reason why a release build may miss the explanation.
  var release: String?
}
