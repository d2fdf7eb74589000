/// The subscriptions of a lane that were made at one place. A lane usually has one place.
package struct PlacedLane: Sendable {
  package let site: Site
  /// The indices in `LogAnalysis.lifecycles`.
  package let members: MemberList
  package let summary: LaneSummary

  package var name: String { site.lane }

  /// Returns the lanes of a log in the order of a timeline, without leaked objects.
  ///
  /// A subscription whose beginning isn't in the log has no place. It belongs to the place of its
  /// lane if there is only one.
  static func all(of log: LogAnalysis) -> [PlacedLane] {
    let figures = ExcerptFigures(log).ofSubscriptions
    let parts = LaneTree(figures.excerpt).lanes.flatMap { byPlace($0.members, log) }
    let summaries = LaneSummary.lanes(of: parts.map { ($0.site.lane, $0.members) }, figures)
    return zip(parts, summaries).map { part, summary in
      PlacedLane(site: part.site, members: MemberList(part.members), summary: summary)
    }
  }

  private typealias Part = (site: Site, members: [Int])

  private static func byPlace(_ members: [Int], _ log: LogAnalysis) -> [Part] {
    var parts: [Part] = []
    var known: [ObjectIdentifier: Int] = [:]
    var byPlace: [String?: Int] = [:]
    for index in members {
      let site = log.lifecycles.origin(at: index).site.site
      let part: Int
      if let found = known[ObjectIdentifier(site)] {
        part = found
      } else {
        part = byPlace[site.source] ?? parts.count
        known[ObjectIdentifier(site)] = part
        byPlace[site.source] = part
        if part == parts.count { parts.append((site, [])) }
      }
      parts[part].members.append(index)
    }
    guard parts.count == 2, let placed = parts.firstIndex(where: { $0.site.source != nil }),
      parts.contains(where: { $0.site.source == nil })
    else { return parts }
    return [(parts[placed].site, members)]
  }
}
