package import TraceFormat

/// The differences between a log and the log of a later run.
package struct LogComparison: Sendable {
  /// The subscriptions of a lane in both runs.
  package struct Lane: Sendable {
    package let name: String
    /// The summary in the old log; nil for a new lane.
    package let old: LaneSummary?
    /// The summary in the new log; nil for a removed lane.
    package let new: LaneSummary?

    var startedChange: Int { (new?.started ?? 0) - (old?.started ?? 0) }
    var elementsChange: Int { (new?.elements ?? 0) - (old?.elements ?? 0) }
    var activeChange: Int { (new?[.active] ?? 0) - (old?[.active] ?? 0) }

    /// The median lifetimes, if they differ by more than a quarter of the old one and by more than
    /// the usual variation between runs.
    package var lives: (old: Nanoseconds, new: Nanoseconds)? {
      guard let old = old?.lives?.median, let new = new?.lives?.median else { return nil }
      let difference = max(old, new).since(min(old, new)).count
      guard difference > LogComparison.minDifference, difference > old.count / 4 else {
        return nil
      }
      return (old, new)
    }

    package var isChanged: Bool {
      old == nil || new == nil || startedChange != 0 || elementsChange != 0 || activeChange != 0
        || lives != nil
    }
  }

  /// The findings with one fingerprint in both runs.
  package struct Suspect: Sendable {
    package let fingerprint: Fingerprint
    /// The source location in the new log, or in the old log if the new log does not have the
    /// fingerprint.
    package let source: String?
    package let old: Int
    package let new: Int
    /// The findings of the new log without a counterpart in the old log: the youngest ones.
    package let added: [Finding]
    package let level: RuleLevel
    package let isProven: Bool

    /// The number of findings of the old log that are not in the new log.
    package var fixed: Int { max(0, old - new) }
  }

  /// The largest difference of lifetimes that counts as noise between runs: 1 ms, in nanoseconds.
  private static let minDifference: UInt64 = 1_000_000

  /// The changed lanes in the order of their timelines; removed lanes come last.
  package let lanes: [Lane]
  package let unchangedLanes: Int
  /// The fingerprints whose counts changed, in the order of fingerprints.
  package let suspects: [Suspect]

  /// The findings of the new log that the old log does not have.
  package var added: [Finding] { suspects.flatMap(\.added) }
  package var fixed: Int { suspects.reduce(0) { $0 + $1.fixed } }
  package var isSame: Bool { lanes.isEmpty && suspects.isEmpty }

  /// Compares two logs.
  ///
  /// - Parameters:
  ///   - old: A log and the findings in it.
  ///   - new: The log of the later run and the findings in it.
  ///   - shows: A function that reports whether to compare the lanes with a name.
  package init(
    old: (log: LogAnalysis, verdict: Verdict), new: (log: LogAnalysis, verdict: Verdict),
    shows: (String) -> Bool = { _ in true }
  ) {
    let all = LogComparison.lanes(old.log, new.log).filter { shows($0.name) }
    lanes = all.filter(\.isChanged)
    unchangedLanes = all.count - lanes.count
    suspects = LogComparison.suspects(
      FindingGroup.groupsByLeak(of: old.verdict.findings, in: old.log),
      FindingGroup.groupsByLeak(of: new.verdict.findings, in: new.log)
    ).filter { shows($0.fingerprint.lane) }
  }

  private static func lanes(_ old: LogAnalysis, _ new: LogAnalysis) -> [Lane] {
    let before = LaneSummary.lanes(of: old)
    let after = LaneSummary.lanes(of: new)
    let known = Dictionary(before.map { ($0.lane, $0) }) { first, _ in first }
    let kept = Set(after.map(\.lane))
    return after.map { Lane(name: $0.lane, old: known[$0.lane], new: $0) }
      + before.filter { !kept.contains($0.lane) }.map { Lane(name: $0.lane, old: $0, new: nil) }
  }

  private static func suspects(_ old: [FindingGroup], _ new: [FindingGroup]) -> [Suspect] {
    let before = Dictionary(old.map { ($0.fingerprint.leak, $0) }) { first, _ in first }
    let after = Dictionary(new.map { ($0.fingerprint.leak, $0) }) { first, _ in first }
    return Set(before.keys).union(after.keys).sorted().compactMap { leak in
      let (old, new) = (before[leak], after[leak])
      let (oldCount, newCount) = (old?.findings.count ?? 0, new?.findings.count ?? 0)
      guard oldCount != newCount, let shown = newCount > oldCount ? new : old else { return nil }
      let added = newCount > oldCount ? shown.findings.suffix(newCount - oldCount) : []
      return Suspect(
        fingerprint: (new ?? shown).fingerprint, source: (new ?? shown).site.source, old: oldCount,
        new: newCount, added: Array(added), level: shown.level,
        isProven: added.isEmpty ? shown.isProven : added.contains(where: \.isProven))
    }
  }
}
