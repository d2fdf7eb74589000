import TraceFormat

/// The subscriptions of a lane, packed into rows without overlap.
///
/// Creating it reads each lifecycle once. The lifecycles of a lane are far apart in memory, so the
/// few bytes that a layout needs are gathered first.
package struct LaneLayout: Sendable {
  /// The indices in `LogAnalysis.lifecycles`, in the order of beginnings.
  package let members: MemberList
  /// The members in rows without overlap.
  package let rows: [MemberList]
  /// The members that did not fit into a row.
  package let overflow: MemberList
  package let population: Population
  /// The population of the members that did not fit into a row.
  package let overflowPopulation: Population

  /// Packs subscriptions into rows by time. Active subscriptions get rows first, because users look
  /// for them.
  ///
  /// - Parameter maxRows: The maximum number of rows.
  package init(_ members: MemberList, in log: LogAnalysis, rows maxRows: Int) {
    let (members, spans) = Self.inOrder(members, log.spans(of: members))
    let packing = RowPacking(
      Array(spans.indices), rows: maxRows,
      bounds: { spans[$0].start.count..<max(spans[$0].start, spans[$0].last).count },
      precedence: { all in
        all.filter { spans[$0].isUnexpectedlyActive }
          + all.filter { !spans[$0].isUnexpectedlyActive }
      })
    self.members = members.compact
    rows = packing.rows.map { row in MemberList(row.map { members[$0] }) }
    overflow = MemberList(packing.overflow.map { members[$0] })
    population = Population(spans)
    overflowPopulation = Population(packing.overflow.map { spans[$0] })
  }

  /// Returns subscriptions in the order of beginnings. Those with the same start keep the order of
  /// the log.
  private static func inOrder(
    _ members: MemberList, _ spans: [LifeSpan]
  ) -> (members: MemberList, spans: [LifeSpan]) {
    func key(_ place: Int) -> (Nanoseconds, Int) { (spans[place].start, members[place]) }
    if members.indices.dropFirst().allSatisfy({ key($0 - 1) < key($0) }) { return (members, spans) }
    let places = members.indices.sorted { key($0) < key($1) }
    return (MemberList(places.map { members[$0] }), places.map { spans[$0] })
  }
}
