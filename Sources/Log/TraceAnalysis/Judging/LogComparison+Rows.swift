extension LogComparison {
  /// A lane of both runs with its findings, or a finding without a lane, such as leaked objects.
  package struct Row: Sendable {
    package enum Change: Int, Comparable, CaseIterable, Sendable {
      /// A finding is new or about more subscriptions, or more subscriptions failed.
      case worse
      /// A finding is fixed or about fewer subscriptions, or fewer subscriptions failed.
      case better
      /// Only the new log has the lane.
      case new
      /// Only the old log has the lane.
      case gone
      /// Another number is different, or the lifetimes are.
      case changed
      case same

      package static func < (left: Change, right: Change) -> Bool {
        left.rawValue < right.rawValue
      }
    }

    /// The lane; nil for findings without one.
    package let lane: Lane?
    /// The findings about the lane, with those that are worse first.
    package let findings: [LogComparison.Change]
    package let change: Change

    fileprivate init(_ lane: Lane?, _ findings: [LogComparison.Change]) {
      self.lane = lane
      self.findings = findings
      change = Row.change(lane, findings)
    }

    private static func change(_ lane: Lane?, _ findings: [LogComparison.Change]) -> Change {
      if findings.contains(where: \.isWorse) { return .worse }
      if findings.contains(where: { $0.kind != .same }) { return .better }
      guard let lane else { return .same }
      if lane.old == nil { return .new }
      if lane.new == nil { return .gone }
      if lane.failedChange != 0 { return lane.failedChange > 0 ? .worse : .better }
      return lane.isChanged ? .changed : .same
    }

    /// The severity of the first finding, which orders rows that differ in the same way.
    fileprivate var rank: Int {
      findings.first.flatMap { Severity.allCases.firstIndex(of: $0.severity) }
        ?? Severity.allCases.count
    }
  }

  /// Returns all lanes and all findings without a lane, with those that differ first: what is
  /// worse, what is better, lanes in one log, other changes, and the rest. A finding that joins
  /// several lanes belongs to each of them.
  ///
  /// - Parameters:
  ///   - old: The old log.
  ///   - new: The new log.
  package func rows(_ old: LogAnalysis, _ new: LogAnalysis) -> [Row] {
    let lanes = lanes + sameLanes
    var findings = [[Change]](repeating: [], count: lanes.count)
    var others: [Change] = []
    let (before, after) = (Places(lanes.map(\.before)), Places(lanes.map(\.after)))
    for finding in changes + sameFindings {
      let places = finding.new > 0 ? after : before
      let rows = places.rows(of: finding.group, in: finding.new > 0 ? new : old)
      for row in rows { findings[row].append(finding) }
      if rows.isEmpty { others.append(finding) }
    }
    let rows = zip(lanes, findings).map { Row($0, $1) } + others.map { Row(nil, [$0]) }
    return rows.enumerated().sorted { left, right in
      (left.element.change, left.element.rank, left.offset)
        < (right.element.change, right.element.rank, right.offset)
    }.map(\.element)
  }

  /// The lanes of one log by their names and places.
  private struct Places {
    private struct Key: Hashable {
      let lane: String
      let source: String?
    }

    private var lanes: [Key: Int] = [:]

    init(_ placed: [PlacedLane?]) {
      for (row, lane) in placed.enumerated() {
        guard let lane else { continue }
        lanes[Key(lane: lane.name, source: lane.site.source)] = row
        // A subscription without a place may belong to the lane's only place.
        let unplaced = Key(lane: lane.name, source: nil)
        if lanes[unplaced] == nil { lanes[unplaced] = row }
      }
    }

    private func row(of site: Site) -> Int? { lanes[Key(lane: site.lane, source: site.source)] }

    /// Returns the rows of the lanes that a finding is about, ascending.
    func rows(of group: FindingGroup, in log: LogAnalysis) -> [Int] {
      guard let first = group.findings.first,
        !log.lifecycles.activity(at: first.lifecycle).isObject
      else { return [] }
      return Set(
        group.samples.compactMap { row(of: log.lifecycles.origin(at: $0.lifecycle).site.site) }
      ).sorted()
    }
  }
}
