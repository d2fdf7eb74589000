import TraceFormat

/// A rule that finds lanes with more subscriptions at once than the user allows.
struct MaxActive: Rule {
  var id: String { "max-active" }
  var level: RuleLevel { .error }
  var requiredOption: RuleOption? {
    RuleOption(text: "--max-active=LANE=N", meaning: "Limit a lane.")
  }

  var summary: String {
    "A lane had more active subscriptions at once than its limit allows."
  }

  var advice: String { advice(for: nil) }

  func advice(for library: LogFormat.StreamLibrary?) -> String {
    let words = EndWords(library)
    return "\(words.verb) the previous \(words.noun) before subscribing again, or share one."
  }

  var explanation: String {
    """
    The settings limit the number of subscriptions of this lane that are active at once \
    (--max-active LANE=N, or maxActive in the settings file), and there were more.

    Either the program subscribes again without disposing the previous subscription, or several \
    parts of the program should share one subscription. If the number is intended, raise the limit.
    """
  }

  func findings(in log: LogAnalysis, _ settings: RuleSettings) -> [Finding] {
    guard !settings.limits.isEmpty else { return [] }
    var lanes: [String: [Int]] = [:]
    for index in log.lifecycles.indices {
      lanes[log.lifecycles[index].site.lane, default: []].append(index)
    }
    var findings: [Finding] = []
    for (lane, members) in lanes.sorted(by: { $0.key < $1.key }) {
      // The last limit with a matching pattern counts, so that special limits can follow general
      // ones.
      guard let limit = settings.limits.last(where: { $0.lanes.matches(lane) })
      else { continue }
      for number in log.logs.indices {
        let ofLog = members.filter { Int(log.lifecycles[$0].log) == number }
        let peak = log.population(of: MemberList(ofLog)).peak
        guard peak.count > limit.maxCount else { continue }
        let alive = ofLog.filter { log.lifecycles[$0].isAlive(at: peak.time) }
          .sorted { (log.lifecycles[$0].start, $0) < (log.lifecycles[$1].start, $1) }
        guard let newest = alive.last else { continue }
        findings.append(
          Finding(
            self, newest, others: Array(alive.dropLast()), .withoutHoles,
            """
            \(count: peak.count, "subscription") active at once at \(peak.time), but the limit is \
            \(limit.maxCount)
            """
          ))
      }
    }
    return findings
  }
}
