import TraceFormat

/// A rule that finds the same work done several times at once.
struct Duplicate: Rule {
  var id: String { "duplicate" }
  var level: RuleLevel { .warning }

  var summary: String {
    "One location subscribed several times at once and got the same elements."
  }

  var advice: String {
    "Add share(replay:) or a multicast after the work, before its observers."
  }

  var explanation: String {
    """
    A signal does its work separately for each observer. Here, several subscriptions made by one line of code were active \
    at the same time, and each got the same elements in the same order. The work behind them, such as a request or a \
    computation, was probably done several times.

    Add share(replay:) or a multicast after the work, before its observers. If the source is a property or a subject, \
    no work is done twice, and you can allow the finding: --allow LANE.

    min is the smallest number of such subscriptions. elements is the smallest number of elements that each must have had.
    """
  }

  private static let leastSubscriptions = RuleThreshold(
    name: "min", value: 2, unit: "subscriptions",
    meaning: "the smallest number of subscriptions with the same elements")
  private static let leastElements = RuleThreshold(
    name: "elements", value: 2, unit: "elements",
    meaning: "the smallest number of elements of each subscription")

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
