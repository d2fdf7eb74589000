import TraceFormat

/// A rule that finds subscriptions that are alive when the log ends, and are not meant to be.
struct Undisposed: Rule {
  static let id = "undisposed"

  var id: String { Self.id }
  var level: RuleLevel { .error }
  var asksForRetention: Bool { true }

  var summary: String {
    "A subscription was still active when its process ended."
  }

  var advice: String { advice(for: nil) }

  func advice(for library: LogFormat.StreamLibrary?) -> String {
    let words = EndWords(library)
    return "\(words.endIt) with its owner\(words.example)\(words.orLifetime)."
  }

  var explanation: String {
    """
    The process ended normally, but this subscription was not disposed. The code that subscribed \
    did not keep the disposable that observe returned, or kept it in an object that was never \
    freed. The upstream is still retained, and in a longer run, each repetition would add one more \
    subscription.

    Put the disposable into a dispose bag that is freed with its owner, or dispose it when its \
    owner ends. In Combine and OpenCombine, that is the AnyCancellable. An asynchronous sequence \
    ends with the task that iterates. The finding names the place that observed it, and below it \
    what holds it, as far as that is known. Subscriptions that are active only because this one \
    is, upstream of it or held by its closure, are its consequences and do not count. If the \
    subscription is meant to live as long as the process, say so: .lane("name", lifetime: \
    .process).

    If the process was killed, the log does not prove anything, because the process might still \
    have disposed the subscription.
    """
  }

  private static let message: FindingMessage = "still active after \(Nanoseconds.zero)"

  func findings(in log: LogAnalysis, _ settings: RuleSettings) -> [Finding] {
    Undisposed.roots(in: log).map { root, consequences in
      let age = log.age(of: log.lifecycles[root])
      return Finding(
        self, root, consequences: consequences, .wholeLog, FindingMessage(Self.message, age.count))
    }
  }

  /// Returns the active subscriptions that weren't declared to live until exit, each with those
  /// that are active only because it is.
  ///
  /// Disposing a subscription disposes what was made for it, so only the one farthest downstream is
  /// a mistake.
  static func roots(in log: LogAnalysis) -> [LeakRoots.Root] {
    LeakRoots.of(log.lifecycles.positions { $0.isUnexpectedlyActive }, in: log)
  }
}
