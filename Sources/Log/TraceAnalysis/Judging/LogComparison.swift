package import TraceFormat

/// The differences between a log and the log of a later run.
package struct LogComparison: Sendable {
  /// The subscriptions of a lane in both runs. A lane with several places is several lanes.
  package struct Lane: Sendable {
    /// The lane in the old log; nil for a new lane.
    package let before: PlacedLane?
    /// The lane in the new log; nil for a removed lane.
    package let after: PlacedLane?
    package let name: String
    /// A Boolean value that indicates whether another lane has the same name, so that the place
    /// distinguishes them.
    package fileprivate(set) var hasNamesake = false

    /// The summary in the old log; nil for a new lane.
    package var old: LaneSummary? { before?.summary }
    /// The summary in the new log; nil for a removed lane.
    package var new: LaneSummary? { after?.summary }
    /// The place in the new log, or in the old one if the lane was removed; nil if unknown.
    package var place: String? { (after ?? before)?.site.source }

    var startedChange: Int { (new?.started ?? 0) - (old?.started ?? 0) }
    var elementsChange: Int { (new?.elements ?? 0) - (old?.elements ?? 0) }
    var activeChange: Int { (new?[.active] ?? 0) - (old?[.active] ?? 0) }
    var failedChange: Int { (new?[.failed] ?? 0) - (old?[.failed] ?? 0) }

    fileprivate init?(_ pair: LaneAlignment.Pair) {
      guard let name = (pair.new ?? pair.old)?.name else { return nil }
      (before, after) = (pair.old, pair.new)
      self.name = name
    }

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
        || failedChange != 0 || lives != nil
    }
  }

  /// A finding, and how often it is in both runs.
  package struct Change: Sendable {
    package enum Kind: String, Sendable {
      case new, fixed
      /// The finding is in both runs, with more subscriptions in the new one, or with fewer.
      case more, fewer
      /// The finding is in both runs, with the same number of subscriptions.
      case same
    }

    package let kind: Kind
    /// The finding of the new log, or of the old one if it is fixed.
    package let group: FindingGroup
    /// The number of subscriptions that the finding is about in the old log.
    package let old: Int
    /// The number of subscriptions that the finding is about in the new log.
    package let new: Int
    /// The judgments of the new log without a counterpart in the old one: the youngest ones.
    package let added: [Finding]

    package var isWorse: Bool { kind == .new || kind == .more }
    /// The severity of what was added or, if nothing was, of the finding.
    package var severity: Severity {
      added.isEmpty ? group.severity : added.mostSevereFirst()[0].severity
    }
  }

  /// The largest difference of lifetimes that counts as noise between runs: 1 ms, in nanoseconds.
  private static let minDifference: UInt64 = 1_000_000

  /// The changed lanes in the order of their timelines; removed lanes come last.
  package let lanes: [Lane]
  /// The other lanes, in the same order.
  let sameLanes: [Lane]
  package var unchangedLanes: Int { sameLanes.count }
  /// The findings that changed: those that are worse in the order of a check, then the others.
  package let changes: [Change]
  /// The findings that both runs have, with the same numbers of subscriptions.
  let sameFindings: [Change]

  /// The judgments of the new log that the old log does not have.
  package var added: [Finding] { changes.flatMap(\.added) }
  package var isSame: Bool { lanes.isEmpty && changes.isEmpty }

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
    sameLanes = all.filter { !$0.isChanged }
    let findings = MatchedFindings(
      old.verdict.groups, of: old.log, new.verdict.groups, of: new.log
    ).all.filter { $0.group.lanes.contains(where: shows) }
    changes = findings.filter { $0.kind != .same }
    sameFindings = findings.filter { $0.kind == .same }
  }

  private static func lanes(_ old: LogAnalysis, _ new: LogAnalysis) -> [Lane] {
    var lanes = LaneAlignment(PlacedLane.all(of: old), PlacedLane.all(of: new)).pairs
      .compactMap { Lane($0) }
    var counts: [String: Int] = [:]
    for lane in lanes { counts[lane.name, default: 0] += 1 }
    for index in lanes.indices {
      lanes[index].hasNamesake = counts[lanes[index].name, default: 0] > 1
    }
    return lanes
  }
}
