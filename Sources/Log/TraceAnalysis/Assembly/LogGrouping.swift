import TraceFormat

/// A grouping of the parts of files into logs, with all logs on one time axis.
struct LogGrouping {
  /// The log to which a part belongs, or the reason why it doesn't belong to one.
  private enum Membership {
    /// `damage` is only found by comparing the part with the other parts of its log.
    case log(Int, damage: Damage)
    /// The part is a shorter copy of another one.
    case repeated
    /// A part between this one and the last one of its log is missing.
    case beforeGap
    /// This version doesn't support the format of the part.
    case refused
  }

  /// The place of a new part among the parts that are already grouped.
  private enum Place {
    case newGroup
    case end(group: Int)
    /// The part has the same number as another one of its log.
    case copy(group: Int, index: Int)
  }

  private var groups: [[SegmentAccumulator]] = []
  private var groupsByTrace: [String: Int] = [:]
  private var repeated: [SegmentAccumulator] = []
  private var beforeGap: [SegmentAccumulator] = []
  private let refused: [SegmentAccumulator]
  private let files: [LogSource]

  /// Groups parts that belong to one log.
  ///
  /// - Parameter refused: The parts that aren't read, because this version doesn't support their
  ///   format.
  init(
    _ parts: consuming [SegmentAccumulator], refused: [SegmentAccumulator], _ files: [LogSource]
  ) {
    self.files = files
    self.refused = refused
    for part in parts { add(part) }
    for index in groups.indices { sort(index) }
  }

  private mutating func add(_ part: SegmentAccumulator) {
    switch place(of: part) {
    case .newGroup:
      if let trace = part.header?.trace { groupsByTrace[trace] = groups.count }
      groups.append([part])
    case .end(let group):
      groups[group].append(part)
    case .copy(let group, let index):
      // The shorter copy was made while the process was still running.
      if part.records > groups[group][index].records {
        repeated.append(groups[group][index])
        groups[group][index] = part
      } else {
        repeated.append(part)
      }
    }
  }

  private func place(of part: SegmentAccumulator) -> Place {
    guard let trace = part.header?.trace, let group = groupsByTrace[trace] else { return .newGroup }
    let copy = groups[group].firstIndex { $0.header?.segment == part.header?.segment }
    return copy.map { .copy(group: group, index: $0) } ?? .end(group: group)
  }

  /// Sorts the parts of a group, and removes those before a missing part.
  ///
  /// Each part begins with the subscriptions that are alive. If a part is missing, the
  /// subscriptions that ended in it are unknown, so the parts before it can't be used.
  private mutating func sort(_ group: Int) {
    groups[group].sort { $0.segment < $1.segment }
    let gap = groups[group].indices.dropFirst().last {
      groups[group][$0].segment != groups[group][$0 - 1].segment + 1
    }
    guard let gap else { return }
    beforeGap += groups[group][..<gap]
    groups[group].removeFirst(gap)
  }

  /// Returns the analysis of the groups. The groups are empty afterwards, because their
  /// subscriptions move to the analysis. A copy would double the memory.
  mutating func analysis() -> LogAnalysis {
    var analysis = LogAnalysis()
    analysis.files = files
    let starts = groups.map { $0.first?.header?.started.flatMap { RFC3339.nanoseconds(of: $0) } }
    let first = starts.compactMap(\.self).min() ?? 0
    var sections: [LogAnalysis.Section] = []
    var scopes: [LogScope] = []
    for (index, start) in starts.enumerated() {
      var group: [SegmentAccumulator] = []
      swap(&group, &groups[index])
      guard var joined = JoinedLog(consume group) else { continue }
      let number = analysis.logs.count
      let offset = start.map { UInt64(bitPattern: Int64($0 &- first)) } ?? 0
      add(&joined, offset: offset, to: &analysis)
      scopes += joined.scopes(log: number, offset: offset)
      sections += zip(joined.parts, joined.damage).map { section($0, .log(number, damage: $1)) }
    }
    sections += repeated.map { section($0, .repeated) }
    sections += beforeGap.map { section($0, .beforeGap) }
    sections += refused.map { section($0, .refused) }
    analysis.sections = sections.sorted { ($0.file, $0.offset) < ($1.file, $1.offset) }
    // Set once for all logs, because that is cheaper.
    analysis.scopes = scopes
    noteDamageFoundAtEnd(&analysis)
    return analysis
  }

  /// Returns the section of a part.
  private func section(
    _ part: SegmentAccumulator, _ membership: Membership
  ) -> LogAnalysis.Section {
    var damage = part.allDamage
    let location = part.firstLocation
    let line = location?.line ?? 1
    var log: Int?
    switch membership {
    case .log(let number, let more):
      log = number
      damage.merge(more)
    case .repeated: damage.note(.repeated, line: line)
    case .beforeGap: damage.note(.beforeGap, line: line)
    case .refused: break
    }
    if part.header == nil { damage.note(.missingHeader, line: line) }
    return LogAnalysis.Section(
      file: location?.file ?? 0, offset: location?.offset ?? 0, log: log, trace: part.header?.trace,
      damage: damage)
  }

  /// Adds a log to the analysis, except for its scopes. Its subscriptions move to the analysis.
  private func add(_ joined: inout JoinedLog, offset: UInt64, to analysis: inout LogAnalysis) {
    let number = analysis.logs.count
    let base = analysis.lifecycles.count
    var log = joined.log(files, offset: offset)
    var lifecycles = joined.takeLifecycles(log: number, offset: offset)
    log.members = base..<base + lifecycles.count
    if base == 0 {
      swap(&analysis.lifecycles, &lifecycles)
    } else {
      analysis.lifecycles.append(contentsOf: lifecycles)
    }
    analysis.marks += joined.marks(log: number, offset: offset)
    analysis.duration = max(analysis.duration, log.lastTime)
    analysis.logs.append(log)
  }

  /// Notes the damage that can be found only when the whole lifetime of each subscription is known.
  private func noteDamageFoundAtEnd(_ analysis: inout LogAnalysis) {
    var damage = [Damage](repeating: Damage(), count: analysis.sections.count)
    let conspicuous = analysis.lifecycles.positions {
      $0.birth == .missing || $0.traits.contains(.beginsTwice)
    }
    for lifecycle in conspicuous.map({ analysis.lifecycles[$0] }) {
      if !lifecycle.hasBeginning {
        let location = lifecycle.firstLocation
        damage[analysis.section(of: location)].note(.missingSubscribe, line: location.line)
      }
      if lifecycle.beginsTwice { analysis.logs[Int(lifecycle.log)].reusedNumbers += 1 }
    }
    notePackingFaults(&damage, &analysis)
    for index in damage.indices where damage[index] != Damage() {
      let section = analysis.sections[index]
      damage[index].merge(section.damage)
      analysis.sections[index] = LogAnalysis.Section(
        file: section.file, offset: section.offset, log: section.log, trace: section.trace,
        damage: damage[index])
    }
  }
}

extension LogGrouping {
  /// Notes the faults of compressed files in each section whose content may be missing or wrong.
  private func notePackingFaults(_ damage: inout [Damage], _ analysis: inout LogAnalysis) {
    for (file, source) in files.enumerated() {
      guard let fault = source.packingFault else { continue }
      let upper = max(fault.range.upperBound, 1)
      let lower = min(fault.range.lowerBound, upper - 1)
      for (index, section) in analysis.sections.enumerated() where section.file == file {
        let next = index + 1 < analysis.sections.count ? analysis.sections[index + 1] : nil
        let end = next?.file == file ? next?.offset ?? .max : .max
        guard section.offset < upper, end > lower else { continue }
        damage[index].note(fault.kind, line: fault.line)
        if let log = section.log { analysis.logs[log].isUnpackedInPart = true }
      }
    }
  }
}

extension SegmentAccumulator {
  /// The number of this part among those of its log, from 1.
  var segment: UInt64 { header?.segment ?? 1 }
}
