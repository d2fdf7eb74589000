import TraceFormat

/// A grouping of the parts of files into logs, with all logs on one time axis.
struct LogGrouping {
  private var groups: [[SegmentAccumulator]] = []
  private var repeated: [SegmentAccumulator] = []
  private var beforeGap: [SegmentAccumulator] = []
  private let refused: [SegmentAccumulator]
  private let files: [LogSource]

  /// Groups parts that belong to one log.
  ///
  /// - Parameter refused: The parts that are not read, because this version does not know them.
  init(
    _ parts: consuming [SegmentAccumulator], refused: [SegmentAccumulator], _ files: [LogSource]
  ) {
    self.files = files
    self.refused = refused
    var indices: [String: Int] = [:]
    for part in parts {
      guard let trace = part.header?.trace else {
        groups.append([part])
        continue
      }
      if let index = indices[trace] {
        let known = groups[index].firstIndex { $0.header?.segment == part.header?.segment }
        guard let known else {
          groups[index].append(part)
          continue
        }
        // Of two copies, keep the longer one: the other was made while the process still ran.
        let isLonger = part.records > groups[index][known].records
        repeated.append(isLonger ? groups[index][known] : part)
        if isLonger { groups[index][known] = part }
      } else {
        indices[trace] = groups.count
        groups.append([part])
      }
    }
    for index in groups.indices {
      groups[index].sort { $0.segment < $1.segment }
      // Each file restates what is alive. If a file is missing, nobody knows what ended in it, so
      // the files before it are left out.
      let gap = groups[index].indices.dropFirst().last {
        groups[index][$0].segment != groups[index][$0 - 1].segment + 1
      }
      if let gap {
        beforeGap += groups[index][..<gap]
        groups[index].removeFirst(gap)
      }
    }
  }

  /// Returns the analysis of the groups. The groups are empty after that, because the subscriptions
  /// move: a copy would take as much memory again.
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
      let number = analysis.logs.count
      let offset = start.map { UInt64(bitPattern: Int64($0 &- first)) } ?? 0
      let (found, seconds) = add(&group, offset: offset, to: &analysis)
      scopes += found
      sections += zip(group, seconds).map { section($0, log: number, nil, and: $1) }
    }
    sections += repeated.map { section($0, log: nil, .repeated) }
    sections += beforeGap.map { section($0, log: nil, .beforeGap) }
    sections += refused.map { section($0, log: nil, nil) }
    analysis.sections = sections.sorted { ($0.file, $0.offset) < ($1.file, $1.offset) }
    analysis.scopes = scopes
    noteWhatShowsInTheEnd(&analysis)
    return analysis
  }

  /// Returns the section of a part.
  ///
  /// - Parameters:
  ///   - reason: The reason why the part belongs to no log; nil if it belongs to one.
  ///   - more: The damage that shows only in comparison with the other files of its log.
  private func section(
    _ part: SegmentAccumulator, log: Int?, _ reason: Damage.Kind?, and more: Damage = Damage()
  ) -> LogAnalysis.Section {
    var damage = part.allDamage
    damage.merge(more)
    let location = part.firstLocation
    if part.header == nil { damage.note(.missingHeader, line: location?.line ?? 1) }
    if let reason { damage.note(reason, line: location?.line ?? 1) }
    return LogAnalysis.Section(
      file: location?.file ?? 0, offset: location?.offset ?? 0, log: log, trace: part.header?.trace,
      damage: damage)
  }

  /// Adds a log to the analysis. The subscriptions of the first part move there.
  ///
  /// - Returns: The scopes of the log, and for each part the damage that shows only in comparison
  ///   with the other parts. The caller adds the scopes of all logs at once, because that is
  ///   cheaper.
  private func add(
    _ parts: inout [SegmentAccumulator], offset: UInt64, to analysis: inout LogAnalysis
  ) -> (scopes: [LogScope], damage: [Damage]) {
    guard var whole = parts.first else { return ([], []) }
    _ = parts[0].takeLifecycles()
    var damage = [Damage()]
    for var part in parts.dropFirst() {
      whole.damage = Damage()
      part.damage = Damage()
      whole.append(part, lines: 0)
      damage.append(whole.damage)
    }
    let number = analysis.logs.count
    var log = TraceLog(names: parts.compactMap { $0.firstLocation.map { files[$0.file].name } })
    log.header = parts.first?.header
    log.end = parts.last?.end
    log.continues = log.end == nil && parts.last?.continuation != nil
    log.hasBeginning = parts.first?.segment == 1
    for part in parts {
      log.lost &+= part.lost
      log.missing &+= part.missing ?? 0
      log.extra &+= part.extra
      if part.missing == nil { log.uncountedSkips += part.damage.skippedLines }
    }
    log.records = whole.records
    log.offset = offset
    log.lastTime = whole.lastTime.after(offset)
    log.threads = whole.threads
    log.tails = whole.tails
    log.table = whole.table
    log.places = whole.observed.places(whole.sites.name)
    log.retentions = whole.retentions.all
    let base = analysis.lifecycles.count
    var lifecycles = whole.takeLifecycles()
    log.members = base..<base + lifecycles.count
    analysis.logs.append(log)
    analysis.duration = max(analysis.duration, log.lastTime)
    if whole.sites.namesLanes { whole.sites.nameSites(of: &lifecycles) }
    lifecycles.inheritLifetimes(whole.table)
    for index in lifecycles.indices {
      lifecycles[index].join(log: Int32(clamping: number), startingAt: offset)
    }
    if base == 0 {
      swap(&analysis.lifecycles, &lifecycles)
    } else {
      analysis.lifecycles.append(contentsOf: lifecycles)
    }
    analysis.marks += whole.marks.map { mark in
      LogMark(time: mark.time.after(offset), name: mark.name, log: number)
    }
    let scopes = whole.scopes.scopes.map { scope in
      var scope = scope
      scope.begin = scope.begin?.after(offset)
      scope.end = scope.end?.after(offset)
      scope.log = number
      return scope
    }
    return (scopes, damage)
  }

  /// Notes the damage that only the whole life of a subscription shows.
  private func noteWhatShowsInTheEnd(_ analysis: inout LogAnalysis) {
    var damage = [Damage](repeating: Damage(), count: analysis.sections.count)
    for lifecycle in analysis.lifecycles {
      if !lifecycle.hasBeginning {
        let location = lifecycle.firstLocation
        damage[analysis.section(of: location)].note(.missingSubscribe, line: location.line)
      }
      if lifecycle.beginsTwice { analysis.logs[Int(lifecycle.log)].reusedNumbers += 1 }
    }
    noteFaultsOfPacking(&damage, &analysis)
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
  /// Notes the faults of compressed files, with each log whose content may be missing or untrue.
  private func noteFaultsOfPacking(_ damage: inout [Damage], _ analysis: inout LogAnalysis) {
    for (file, source) in files.enumerated() {
      for fault in source.packingFaults {
        let upper = max(fault.range.upperBound, 1)
        let lower = min(fault.range.lowerBound, upper - 1)
        for (index, section) in analysis.sections.enumerated() where section.file == file {
          let next = index + 1 < analysis.sections.count ? analysis.sections[index + 1] : nil
          let end = next?.file == file ? next?.offset ?? .max : .max
          // A fault before the first log of a file is reported with that log.
          let isFirst = index == 0 || analysis.sections[index - 1].file != file
          guard isFirst || section.offset < upper, end > lower else { continue }
          damage[index].note(fault.kind, line: fault.line)
          if let log = section.log { analysis.logs[log].isUnpackedInPart = true }
        }
      }
    }
  }
}

extension SegmentAccumulator {
  /// The number of this file among those of its log, from 1.
  fileprivate var segment: UInt64 { header?.segment ?? 1 }
}
