import TraceFormat

/// A rule that finds the same work done several times at once.
struct Duplicate: Rule {
  var id: String { "duplicate" }
  var level: RuleLevel { .warning }

  var summary: String {
    "One location subscribed several times at once and got the same elements: a share may be missing."
  }

  var explanation: String {
    """
    A signal does its work anew for each observer. Here subscriptions that one line of the source made were active \
    at the same time, and each got the same elements in the same order: the work behind them (a request, a computation) \
    was probably done several times.

    Put share(replay:) or a multicast behind the work, before its observers. If the source is a property or a subject, \
    nothing is done twice, and the finding can be allowed: --allow LANE.

    min is how many such subscriptions it takes, elements how many elements each must have had.
    """
  }

  private static let leastSubscriptions = RuleThreshold(
    name: "min", value: 2, unit: "subscriptions",
    meaning: "the least subscriptions with the same elements")
  private static let leastElements = RuleThreshold(
    name: "elements", value: 2, unit: "elements",
    meaning: "the least elements that each of them had")

  var thresholds: [RuleThreshold] { [Self.leastSubscriptions, Self.leastElements] }

  private struct Key: Hashable {
    let digest: ElementDigest
    let elements: Int
  }

  func findings(in log: LogAnalysis, _ settings: RuleSettings) -> [Finding] {
    let least = max(2, count(of: Self.leastSubscriptions, settings))
    let elements = max(1, count(of: Self.leastElements, settings))
    return SiteMembers.members(of: log).compactMap { members in
      guard members.count >= least else { return nil }
      var groups: [Key: [Int]] = [:]
      for index in members {
        let lifecycle = log.lifecycles[index]
        // Elements that were not recorded completely may have been different.
        guard lifecycle.elements >= elements, lifecycle.isWhole, lifecycle.hasAllTexts else {
          continue
        }
        groups[Key(digest: lifecycle.digest, elements: lifecycle.elements), default: []]
          .append(index)
      }
      let found = groups.values.lazy.filter { $0.count >= least }
        .map { overlapping($0, log) }.filter { $0.count >= least }
        .max { ($0.count, $1.first ?? 0) < ($1.count, $0.first ?? 0) }
      guard let found, let first = found.first else { return nil }
      return Finding(
        self, first, others: Array(found.dropFirst()), .withoutHoles,
        "\(count: found.count, "subscription") at once with the same \(count: log.lifecycles[first].elements, "element")"
      )
    }
  }

  /// Returns the members that are alive when the most of them are.
  private func overlapping(_ members: [Int], _ log: LogAnalysis) -> [Int] {
    let peak = log.population(of: members).peak
    return members.filter { log.lifecycles[$0].isAlive(at: peak.time) }
  }
}
