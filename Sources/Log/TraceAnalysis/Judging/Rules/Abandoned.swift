import TraceFormat

/// A rule that finds subscriptions that were released without an end.
struct Abandoned: Rule {
  var id: String { "abandoned" }
  var level: RuleLevel { .warning }

  var summary: String {
    "A subscription was released without being disposed, completed or failed."
  }

  var advice: String { advice(for: nil) }

  func advice(for library: LogFormat.StreamLibrary?) -> String {
    let verb = EndWords(library).verb.lowercased()
    return "Complete the subject before it is freed, or \(verb) its observers."
  }

  var explanation: String {
    """
    Nothing refers to this subscription anymore, neither its source nor its observer, but it never \
    completed, failed or was disposed. It does not leak memory. However, observers downstream were \
    never told that it is over, so they may wait forever.

    The usual cause is a subject that was freed before it completed. Complete the subject, or \
    dispose its observers.
    """
  }

  private static let message: FindingMessage =
    "released at \(Nanoseconds.zero) after \(count: 0, "element"), without an end"

  func findings(in log: LogAnalysis, _ settings: RuleSettings) -> [Finding] {
    // Roots don't apply here. A subscription is released because its source is deallocated, which
    // is upstream, and not because of anything downstream.
    log.lifecycles.positions { $0.state == .released }.map { index in
      let lifecycle = log.lifecycles[index]
      let end = lifecycle.end ?? lifecycle.last.time
      return Finding(
        self, index, .always,
        FindingMessage(Self.message, end.count, UInt64(lifecycle.elements)))
    }
  }
}
