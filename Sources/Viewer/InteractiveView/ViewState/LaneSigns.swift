import TraceAnalysis

/// The findings, failures and hits of a lane of the timeline, which keys jump to.
struct LaneSigns: OptionSet, Sendable {
  let rawValue: UInt8

  static let finding = LaneSigns(rawValue: 1)
  static let failure = LaneSigns(rawValue: 2)
  static let hit = LaneSigns(rawValue: 4)

  /// Returns the findings and the failures of each lane.
  static func all(_ outline: TimelineRows, _ shown: FilteredLog) -> [LaneSigns] {
    var signs = Array(repeating: LaneSigns(), count: outline.lanes.count)
    func note(_ sign: LaneSigns, _ index: Int) {
      if let item = outline.item(of: index) { signs[item.lane].insert(sign) }
    }
    for index in shown.excerpt.members(in: .failed) { note(.failure, index) }
    for finding in shown.findings {
      ([finding.lifecycle] + finding.others).forEach { note(.finding, $0) }
    }
    return signs
  }
}
