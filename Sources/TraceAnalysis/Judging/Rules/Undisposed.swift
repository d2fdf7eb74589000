/// A rule that finds subscriptions that are alive when the log ends, and are not meant to be.
struct Undisposed: Rule {
  var id: String { "undisposed" }
  var level: RuleLevel { .error }

  var summary: String {
    "A subscription was still active when its process ended."
  }

  var explanation: String {
    """
    The process came to a clean end, and nobody had disposed this subscription: whoever began it did not keep what observe \
    returned, or kept it in something that was never freed. Its upstream is still held, and in a longer run each \
    repetition would add one more.

    Put it into a dispose bag that goes away with its owner, or dispose it where its owner ends. The line that began it is named, \
    and the subscriptions it was made for stand above it. If it is meant to live as long as the process, say so: \
    .lane("name", lifetime: .process).

    The log of a process that was killed proves nothing about what it would still have disposed.
    """
  }

  func findings(in log: LogAnalysis, _ settings: RuleSettings) -> [Finding] {
    log.lifecycles.indices.filter { log.lifecycles[$0].isUnexpectedlyActive }.map { index in
      let lifecycle = log.lifecycles[index]
      let age = log.age(of: lifecycle)
      return Finding(self, index, .wholeLog, "still active after \(age)")
    }
  }
}
