/// A rule that finds subscriptions that are alive when the log ends, and are not meant to be.
struct Undisposed: Rule {
  var id: String { "undisposed" }
  var level: RuleLevel { .error }

  var summary: String {
    "A subscription was still active when its process ended."
  }

  var explanation: String {
    """
    The process ended normally, but this subscription was not disposed. The code that subscribed did not keep the \
    disposable that observe returned, or kept it in an object that was never freed. The upstream is still retained, and in \
    a longer run, each repetition would add one more subscription.

    Put the disposable into a dispose bag that is freed with its owner, or dispose it when its owner ends. The finding names the \
    line that subscribed, and below it the subscriptions that it was made for. If the subscription is meant to live as \
    long as the process, say so: .lane("name", lifetime: .process).

    If the process was killed, the log does not prove anything, because the process might still have disposed the subscription.
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
