import TraceFormat

/// One mistake, which is what every output calls a finding: the judgments of one rule about one
/// source line, regardless of the names of its lanes, or those about one retain cycle. If the
/// process searched for what keeps only some of a place's subscriptions alive and found a cycle,
/// the other subscriptions of the place belong to the cycle, too.
package struct FindingGroup: Sendable {
  /// The id of the mistake among those of its verdict.
  package internal(set) var id: FindingID
  /// The fingerprint of the first finding. Other findings of a retain cycle may have others.
  package let fingerprint: Fingerprint
  package let site: Site
  /// The place where the subscription of the first finding was observed; `nil` if it is not known.
  package let observed: ObservedPlace?
  /// The findings, with the oldest subscription first. Those with a known retain cycle come before
  /// the others.
  package let findings: FindingList
  /// A finding for each place and lane.
  let samples: FindingList
  /// The names of the lanes, with that of the first finding first.
  package let lanes: [String]

  // These are stored, because a view reads them for each frame, and there may be a million
  // findings.
  /// The most severe level of the findings.
  package let level: RuleLevel
  package let isProven: Bool
  package var isCycle: Bool { findings.first?.isCycle ?? false }
  package var consequenceCount: Int { findings.reduce(0) { $0 + $1.consequences.count } }
  /// The subscriptions that have the problem only because of those of the findings.
  package var consequences: [Int] { findings.flatMap(\.consequences) }

  /// The properties that the findings of a group share.
  private enum Key: Hashable {
    /// The reference to break identifies objects that leaked.
    case objects(Fingerprint)
    /// The steps of a retain cycle. They start with the same step, regardless of which one the log
    /// lists first.
    case cycle([String])
    case place(rule: String, MistakePlace)

    init(_ finding: Finding, in log: LogAnalysis) {
      let site = log.lifecycles[finding.lifecycle].site
      if site.op == .object, site.function != nil {
        self = .objects(Fingerprint(finding, in: log))
      } else if finding.isCycle, let retention = finding.retention {
        self = .cycle(log.cycleIdentity(retention, ofLog: log.log(of: finding.lifecycle)))
      } else {
        self = .place(rule: finding.rule, MistakePlace(of: finding.lifecycle, in: log))
      }
    }
  }

  /// The numbers that a key is made from. Findings with the same numbers have the same key, and
  /// there may be a million of them.
  private struct SharedKey: Hashable {
    let rule: String
    let site: ObjectIdentifier
    let log: Int32
    let observed: UInt32
    let isExplained: Bool

    /// Creates the numbers; returns nil if the finding is about a retain cycle, which they do not
    /// include.
    init?(_ finding: Finding, in log: LogAnalysis) {
      guard !finding.isCycle else { return nil }
      let origin = log.lifecycles.origin(at: finding.lifecycle)
      rule = finding.rule
      isExplained = finding.retention != nil
      site = ObjectIdentifier(origin.site.site)
      self.log = log.lifecycles.activity(at: finding.lifecycle).log
      observed = origin.observed
    }
  }

  /// Returns the key of the first retain cycle of each place.
  private static func keysOfCycles(
    _ findings: [Finding], in log: LogAnalysis
  ) -> [MistakePlace: Key] {
    Dictionary(
      findings.lazy.filter(\.isCycle).map { finding in
        (MistakePlace(of: finding.lifecycle, in: log), Key(finding, in: log))
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the groups of findings in the order in which they first appear, with their ids.
  package static func groups(of findings: [Finding], in log: LogAnalysis) -> [FindingGroup] {
    var groups = groups(grouping: findings, in: log)
    let ids = FindingID.ids(of: groups, in: log)
    for index in groups.indices { groups[index].id = ids[index] }
    return groups
  }

  /// Returns the part of the group with the matching findings, or nil if no finding matches. The
  /// part keeps the id, because it is the same mistake.
  func filtered(_ isIncluded: (Finding) -> Bool, in log: LogAnalysis) -> FindingGroup? {
    let rest = findings.only(isIncluded)
    guard rest.count < findings.count else { return self }
    var places = DistinctPlaces(log)
    let samples = rest.only { places.insert($0.lifecycle) }
    return FindingGroup(rest, samples, id: id, in: log)
  }

  /// Creates a group; returns nil if `findings` is empty.
  ///
  /// - Parameters:
  ///   - findings: The findings, in their order in the group.
  ///   - samples: At least one of them for each place and lane.
  private init?(
    _ findings: FindingList, _ samples: FindingList, id: FindingID, in log: LogAnalysis
  ) {
    guard let first = findings.first else { return nil }
    let lifecycle = log.lifecycles[first.lifecycle]
    self.id = id
    fingerprint = Fingerprint(first, in: log)
    site = lifecycle.site
    observed = log.observed(of: lifecycle)
    self.findings = findings
    self.samples = samples
    lanes =
      samples.count == 1
      ? [site.lane] : log.lanes(of: [first.lifecycle] + samples.map(\.lifecycle))
    level = findings.lazy.map(\.level).max() ?? .off
    isProven = findings.contains(where: \.isProven)
  }

  private static func groups(
    grouping findings: [Finding], in log: LogAnalysis
  ) -> [FindingGroup] {
    var indices: [Key: Int] = [:]
    var known: [SharedKey: Int] = [:]
    var groups: [(findings: [UInt32], samples: [UInt32])] = []
    let cycles = keysOfCycles(findings, in: log)
    for (number, finding) in findings.enumerated() {
      let number = UInt32(clamping: number)
      let shared = SharedKey(finding, in: log)
      if let shared, let index = known[shared] {
        groups[index].findings.append(number)
        continue
      }
      let isOpen = !cycles.isEmpty && finding.rule == Undisposed.id && finding.retention == nil
      let cycle = isOpen ? cycles[MistakePlace(of: finding.lifecycle, in: log)] : nil
      let key = cycle ?? Key(finding, in: log)
      let index = indices[key] ?? groups.count
      if index == groups.count {
        indices[key] = index
        groups.append(([], []))
      }
      groups[index].findings.append(number)
      groups[index].samples.append(number)
      if let shared { known[shared] = index }
    }
    return groups.compactMap { group in
      FindingGroup(
        FindingList(findings, group.findings).oldestFirst(in: log),
        FindingList(findings, group.samples), id: .none, in: log)
    }
  }
}

extension Fingerprint {
  /// Returns the fingerprint of a finding. The function is omitted if the line of an observation
  /// identifies the place.
  static func ofPlace(_ finding: Finding, in log: LogAnalysis) -> Fingerprint {
    let site = log.lifecycles[finding.lifecycle].site
    let fingerprint = Fingerprint(finding.rule, site)
    guard site.op == .observe, site.line != nil else { return fingerprint }
    return Fingerprint(
      rule: fingerprint.rule, lane: fingerprint.lane, file: fingerprint.file, function: "")
  }
}

extension LogAnalysis {
  /// Returns what identifies a retain cycle in its log. A subscription on it is identified by its
  /// place, because lanes may have names of their own for each of many equal cycles.
  fileprivate func cycleIdentity(_ retention: Retention, ofLog log: Int) -> [String] {
    retention.cycleIdentity { step in
      guard case .subscription(let id?, _) = step.kind, let index = index(of: id, log: log),
        let source = MistakePlace(of: index, in: self).source
      else { return step.identity }
      return source
    }
  }
}

extension Retention {
  /// Returns what identifies the cycle, given what identifies a step. The number of equal steps in
  /// a row, such as those of a list, doesn't matter.
  func cycleIdentity(_ identity: (Step) -> String) -> [String] {
    var steps: [String] = []
    for step in cycle {
      if case .omitted = step.kind { continue }
      let identity = identity(step)
      if identity != steps.last { steps.append(identity) }
    }
    if steps.count > 1, steps.first == steps.last { steps.removeLast() }
    return steps.smallestRotation
  }
}

extension [String] {
  /// The lexicographically smallest rotation of the elements.
  var smallestRotation: [String] {
    guard count > 1 else { return self }
    var (first, second, length) = (0, 1, 0)
    while first < count, second < count, length < count {
      let left = self[(first + length) % count]
      let right = self[(second + length) % count]
      if left == right {
        length += 1
        continue
      }
      if left > right { first += length + 1 } else { second += length + 1 }
      if first == second { second += 1 }
      length = 0
    }
    let start = Swift.min(first, second)
    return Array(self[start...] + self[..<start])
  }
}

extension [FindingGroup] {
  /// Returns the group with an id, or those whose ids begin with it.
  package func found(by text: String) -> [FindingGroup] {
    if let group = first(where: { $0.id.matches(text) }) { return [group] }
    return text.isEmpty ? [] : filter { $0.id.begins(with: text) }
  }
}
