import TraceFormat

/// A rule that finds the same work done several times at once.
struct Duplicate: Rule {
  var id: String { "duplicate" }
  var level: RuleLevel { .warning }

  var summary: String {
    "One location subscribed several times at once to one source and got the same elements."
  }

  var advice: String {
    "Add share(limit:) or a multicast after the work, before its observers."
  }

  var explanation: String {
    """
    A signal does its work separately for each observer. Here, several subscriptions made by one \
    line of code observed the same source at the same time, and each got the same elements in the \
    same order. The work behind them, such as a request or a computation, was probably done \
    several times.

    Add share(limit:) or a multicast after the work, before its observers. Subscriptions that \
    observe one subject, property or shared signal together are not reported, because no work is \
    done twice for them. Neither are those that each have a source of their own, even if their \
    elements are equal.

    min is the smallest number of such subscriptions. elements is the smallest number of elements \
    that each must have had.
    """
  }

  private static let minSubscriptions = RuleThreshold(
    name: "min", value: 2, unit: "subscriptions",
    meaning: "the smallest number of subscriptions with the same elements")
  private static let minElements = RuleThreshold(
    name: "elements", value: 2, unit: "elements",
    meaning: "the smallest number of elements of each subscription")

  var thresholds: [RuleThreshold] { [Self.minSubscriptions, Self.minElements] }

  /// A subscription, with the properties that are equal if its source and its elements are.
  private struct Candidate {
    /// The index of the first subscription that is known to observe the same source.
    let source: Int
    let digest: ElementDigest
    let elements: UInt32
    /// The index in the members.
    let place: Int

    func isEqual(to other: Candidate) -> Bool {
      source == other.source && digest == other.digest && elements == other.elements
    }

    static func isBefore(_ left: Candidate, _ right: Candidate) -> Bool {
      if left.digest != right.digest { return left.digest < right.digest }
      return (left.source, left.elements, left.place)
        < (right.source, right.elements, right.place)
    }
  }

  func findings(in log: LogAnalysis, _ settings: RuleSettings) -> [Finding] {
    let minCount = max(2, count(of: Self.minSubscriptions, settings))
    let elements = max(1, count(of: Self.minElements, settings))
    let sources = sources(in: log)
    guard !sources.isEmpty else { return [] }
    return SiteMembers.members(of: log).compactMap { members in
      guard members.count >= minCount else { return nil }
      let candidates = members.indices.compactMap { place -> Candidate? in
        let activity = log.lifecycles.activity(at: members[place])
        // Elements that were not recorded completely may have been different. Elements of a shared
        // source did not cause additional work.
        guard activity.elements >= elements, activity.isWhole, activity.traits.contains(.allTexts),
          !activity.traits.contains(.isShared), let source = sources[members[place]]
        else { return nil }
        return Candidate(
          source: source, digest: activity.digest, elements: activity.elements, place: place)
      }
      let found = groups(of: Self.repeated(candidates).sorted(by: Candidate.isBefore)).lazy
        .filter { $0.count >= minCount }.map { places in places.map { members[$0] } }
        .map { independent(overlapping($0, log), log) }.filter { $0.count >= minCount }
        .max { ($0.count, $1.first ?? 0) < ($1.count, $0.first ?? 0) }
      guard let found, let first = found.first else { return nil }
      return Finding(
        self, first, others: Array(found.dropFirst()), .withoutHoles,
        """
        \(count: found.count, "subscription") at once with the same \
        \(count: log.lifecycles[first].elements, "element")
        """
      )
    }
  }

  /// Returns the first subscription with the same source for each subscription that shares its
  /// source with another one, as indices in `LogAnalysis.lifecycles`.
  private func sources(in log: LogAnalysis) -> [Int: Int] {
    var sources: [Int: Int] = [:]
    for (number, traceLog) in log.logs.enumerated() where !traceLog.twins.isEmpty {
      // A twin began earlier, so it has a smaller number.
      for (subscription, twin) in traceLog.twins.sorted(by: { $0.key < $1.key }) {
        guard let index = log.index(of: SubscriptionID(known: subscription), log: number),
          let other = log.index(of: twin, log: number)
        else { continue }
        let first = sources[other] ?? other
        sources[other] = first
        sources[index] = first
      }
    }
    return sources
  }

  /// Returns the candidates that can have an equal one. Few are left, so the rule takes a third of
  /// the instructions.
  private static func repeated(_ candidates: [Candidate]) -> [Candidate] {
    // With eight slots for each candidate, few share one by chance.
    var counts = [UInt8](
      repeating: 0, count: 1 << (Int.bitWidth - (candidates.count * 8).leadingZeroBitCount))
    let mask = counts.count - 1
    func slot(of candidate: Candidate) -> Int { candidate.digest.hash & mask }
    for candidate in candidates where counts[slot(of: candidate)] < 2 {
      counts[slot(of: candidate)] += 1
    }
    return candidates.filter { counts[slot(of: $0)] > 1 }
  }

  /// Returns the indices of equal candidates, which must be next to each other. Omits candidates
  /// without an equal.
  private func groups(of candidates: [Candidate]) -> [[Int]] {
    var groups: [[Int]] = []
    var start = 0
    while start < candidates.count {
      var end = start + 1
      while end < candidates.count, candidates[end].isEqual(to: candidates[start]) { end += 1 }
      if end - start > 1 { groups.append(candidates[start..<end].map(\.place)) }
      start = end
    }
    return groups
  }

  /// Returns the members that were not made for a subscription of the same location. Such a
  /// subscription gets the same elements from them, as an observer of a shared signal does from its
  /// connection. Optimized code may name several functions for one location.
  private func independent(_ members: [Int], _ log: LogAnalysis) -> [Int] {
    members.filter { member in
      let lifecycle = log.lifecycles[member]
      return !log.ancestors(of: lifecycle).contains { ancestor in
        let site = log.lifecycles[ancestor].site
        return site.lane == lifecycle.site.lane && site.source == lifecycle.site.source
      }
    }
  }

  /// Returns the members that are alive when the number of live members peaks.
  private func overlapping(_ members: [Int], _ log: LogAnalysis) -> [Int] {
    let peak = log.population(of: MemberList(members)).peak
    return members.filter { log.lifecycles[$0].isAlive(at: peak.time) }
  }
}
