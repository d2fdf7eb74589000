package import TraceFormat

/// What is different in the log of a later run.
package struct LogComparison: Sendable {
  /// The subscriptions of a lane in both runs.
  package struct Lane: Sendable {
    package let name: String
    /// Nil for a lane that is new.
    package let old: LaneSummary?
    /// Nil for a lane that is gone.
    package let new: LaneSummary?

    package var startedChange: Int { (new?.started ?? 0) - (old?.started ?? 0) }
    package var elementsChange: Int { (new?.elements ?? 0) - (old?.elements ?? 0) }
    package var activeChange: Int { (new?[.active] ?? 0) - (old?[.active] ?? 0) }

    /// The median lives, where they clearly differ: by more than a quarter of the longer one, and by more than runs of the same
    /// program always do.
    package var lives: (old: Nanoseconds, new: Nanoseconds)? {
      guard let old = old?.lives?.median, let new = new?.lives?.median else { return nil }
      let difference = max(old, new).since(min(old, new)).count
      guard difference > LogComparison.leastDifference, difference > old.count / 4 else {
        return nil
      }
      return (old, new)
    }

    package var isChanged: Bool {
      old == nil || new == nil || startedChange != 0 || elementsChange != 0 || activeChange != 0
        || lives != nil
    }
  }

  /// The findings of one fingerprint in both runs.
  package struct Suspect: Sendable {
    package let fingerprint: Fingerprint
    /// As the new log says it, or the old one where it is not in the new.
    package let source: String?
    package let old: Int
    package let new: Int
    /// The findings of the new log that the old one has no counterpart for, the youngest of all.
    package let added: [Finding]
    package let level: RuleLevel
    package let isProven: Bool

    /// How many of the old log are not in the new one.
    package var fixed: Int { max(0, old - new) }
  }

  /// Below this, lives differ from run to run: 1 ms.
  private static let leastDifference: UInt64 = 1_000_000

  /// Those that changed, in the order of their timelines, the ones that are gone last.
  package let lanes: [Lane]
  package let unchangedLanes: Int
  /// Those whose count changed, by fingerprint.
  package let suspects: [Suspect]

  /// Findings of the new log that the old one does not have.
  package var added: [Finding] { suspects.flatMap(\.added) }
  package var fixed: Int { suspects.reduce(0) { $0 + $1.fixed } }
  package var isSame: Bool { lanes.isEmpty && suspects.isEmpty }

  /// - Parameters:
  ///   - old: a log and the findings in it; `new` is that of the later run.
  ///   - shows: whether lanes of a name are compared.
  package init(
    old: (log: LogAnalysis, verdict: Verdict), new: (log: LogAnalysis, verdict: Verdict),
    shows: (String) -> Bool = { _ in true }
  ) {
    let all = LogComparison.lanes(old.log, new.log).filter { shows($0.name) }
    lanes = all.filter(\.isChanged)
    unchangedLanes = all.count - lanes.count
    suspects = LogComparison.suspects(
      FindingGroup.groups(of: old.verdict.findings, in: old.log),
      FindingGroup.groups(of: new.verdict.findings, in: new.log)
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
    let before = Dictionary(old.map { ($0.fingerprint, $0) }) { first, _ in first }
    let after = Dictionary(new.map { ($0.fingerprint, $0) }) { first, _ in first }
    return Set(before.keys).union(after.keys).sorted().compactMap { fingerprint in
      let (old, new) = (before[fingerprint], after[fingerprint])
      let (oldCount, newCount) = (old?.findings.count ?? 0, new?.findings.count ?? 0)
      guard oldCount != newCount, let shown = newCount > oldCount ? new : old else { return nil }
      let added = newCount > oldCount ? shown.findings.suffix(newCount - oldCount) : []
      return Suspect(
        fingerprint: fingerprint, source: (new ?? shown).site.source, old: oldCount,
        new: newCount, added: Array(added), level: shown.level,
        isProven: added.isEmpty ? shown.isProven : added.contains(where: \.isProven))
    }
  }
}
