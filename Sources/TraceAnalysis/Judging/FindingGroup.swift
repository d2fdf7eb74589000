/// Findings that a baseline treats as one: those of one rule, in one lane, file and function.
package struct FindingGroup: Sendable {
  package let fingerprint: Fingerprint
  package let site: Site
  /// The findings, with the oldest subscription first.
  package let findings: [Finding]

  /// The most severe level of the findings.
  package var level: RuleLevel { findings.map(\.level).max() ?? .off }
  package var isProven: Bool { findings.contains(where: \.isProven) }

  /// Returns the groups of findings in the order in which they first appear.
  package static func groups(of findings: [Finding], in log: LogAnalysis) -> [FindingGroup] {
    var indices: [Fingerprint: Int] = [:]
    var groups: [(key: Fingerprint, findings: [Finding])] = []
    for finding in findings {
      let key = Fingerprint(finding, in: log)
      if let index = indices[key] {
        groups[index].findings.append(finding)
      } else {
        indices[key] = groups.count
        groups.append((key, [finding]))
      }
    }
    return groups.compactMap { key, findings in
      guard let first = findings.first else { return nil }
      return FindingGroup(
        fingerprint: key, site: log.lifecycles[first.lifecycle].site,
        findings: findings.sorted {
          (log.lifecycles[$0.lifecycle].start, $0.lifecycle)
            < (log.lifecycles[$1.lifecycle].start, $1.lifecycle)
        })
    }
  }
}
