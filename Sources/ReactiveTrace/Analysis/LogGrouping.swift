/// Puts the parts that belong to one log together, and all logs on one axis of time.
struct LogGrouping {
  private var groups: [[LogPart]] = []
  private var repeated: [LogPart] = []
  private var beforeGap: [LogPart] = []
  private let refused: [LogPart]
  private let files: [LogSource]

  /// - Parameter refused: parts that are not read, because this version does not know them.
  init(_ parts: [LogPart], refused: [LogPart], _ files: [LogSource]) {
    self.files = files
    self.refused = refused
    var places: [String: Int] = [:]
    for part in parts {
      guard let trace = part.header?.trace else {
        groups.append([part])
        continue
      }
      if let place = places[trace] {
        let known = groups[place].firstIndex { $0.header?.segment == part.header?.segment }
        guard let known else {
          groups[place].append(part)
          continue
        }
        // Of two copies the longer one: the other was made while the process still ran.
        let isLonger = part.records > groups[place][known].records
        repeated.append(isLonger ? groups[place][known] : part)
        if isLonger { groups[place][known] = part }
      } else {
        places[trace] = groups.count
        groups.append([part])
      }
    }
    for index in groups.indices {
      groups[index].sort { $0.segment < $1.segment }
      // Each file says again what is alive. Before one that is missing, nobody knows what ended in it.
      let gap = groups[index].indices.dropFirst().last {
        groups[index][$0].segment != groups[index][$0 - 1].segment + 1
      }
      if let gap {
        beforeGap += groups[index][..<gap]
        groups[index].removeFirst(gap)
      }
    }
  }

  func analysis() -> LogAnalysis {
    var analysis = LogAnalysis()
    analysis.files = files
    let starts = groups.map { $0.first?.header?.started.flatMap { RFC3339.nanoseconds(of: $0) } }
    let first = starts.compactMap(\.self).min() ?? 0
    var sections: [LogAnalysis.Section] = []
    var scopes: [LogScope] = []
    for (group, start) in zip(groups, starts) {
      let number = analysis.logs.count
      let offset = start.map { UInt64(bitPattern: Int64($0 &- first)) } ?? 0
      scopes += add(group, offset: offset, to: &analysis)
      sections += group.map { section($0, log: number, nil) }
    }
    sections += repeated.map { section($0, log: nil, .repeated) }
    sections += beforeGap.map { section($0, log: nil, .beforeGap) }
    sections += refused.map { section($0, log: nil, nil) }
    analysis.sections = sections.sorted { ($0.file, $0.offset) < ($1.file, $1.offset) }
    analysis.scopes = scopes
    noteWhatShowsInTheEnd(&analysis)
    return analysis
  }

  /// - Parameter reason: why it belongs to no log.
  private func section(
    _ part: LogPart, log: Int?, _ reason: Damage.Kind?
  ) -> LogAnalysis.Section {
    var damage = part.allDamage
    let place = part.firstPlace
    if part.header == nil { damage.note(.missingHeader, line: place?.line ?? 1) }
    if let reason { damage.note(reason, line: place?.line ?? 1) }
    return LogAnalysis.Section(
      file: place?.file ?? 0, offset: place?.offset ?? 0, log: log, trace: part.header?.trace,
      damage: damage)
  }

  /// Returns the scopes of the log, which are better added all at once.
  private func add(
    _ parts: [LogPart], offset: UInt64, to analysis: inout LogAnalysis
  ) -> [LogScope] {
    guard var whole = parts.first else { return [] }
    for part in parts.dropFirst() { whole.append(part, lines: 0) }
    let number = analysis.logs.count
    var log = TraceLog(names: parts.compactMap { $0.firstPlace.map { files[$0.file].name } })
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
    let base = analysis.lifecycles.count
    log.members = base..<base + whole.lifecycles.count
    analysis.logs.append(log)
    analysis.duration = max(analysis.duration, log.lastTime)

    var lifecycles = whole.lifecycles
    if whole.sites.hasNames { whole.sites.nameSites(of: &lifecycles) }
    for index in lifecycles.indices {
      lifecycles[index].log = Int32(clamping: number)
      lifecycles[index].shift(by: offset)
    }
    if base == 0 { analysis.lifecycles = lifecycles } else { analysis.lifecycles += lifecycles }
    analysis.marks += whole.marks.map { mark in
      LogMark(time: mark.time.after(offset), name: mark.name, log: number)
    }
    return whole.scopes.scopes.map { scope in
      var scope = scope
      scope.begin = scope.begin?.after(offset)
      scope.end = scope.end?.after(offset)
      scope.log = number
      return scope
    }
  }

  /// Notes what only the whole life of a subscription shows.
  private func noteWhatShowsInTheEnd(_ analysis: inout LogAnalysis) {
    var damage = [Damage](repeating: Damage(), count: analysis.sections.count)
    for lifecycle in analysis.lifecycles {
      if !lifecycle.hasBeginning {
        let place = lifecycle.firstPlace
        damage[analysis.section(of: place)].note(.missingSubscribe, line: place.line)
      }
      if lifecycle.goesOnAfterEnd {
        let place = lifecycle.last.place
        damage[analysis.section(of: place)].note(.afterEnd, line: place.line)
      }
    }
    for index in damage.indices where damage[index] != Damage() {
      let section = analysis.sections[index]
      damage[index].merge(section.damage)
      analysis.sections[index] = LogAnalysis.Section(
        file: section.file, offset: section.offset, log: section.log, trace: section.trace,
        damage: damage[index])
    }
  }
}

extension LogPart {
  /// Which of the files of its log it is, from 1.
  fileprivate var segment: UInt64 { header?.segment ?? 1 }
}

extension LogAnalysis {
  /// The section in which a record stands.
  func section(of place: TraceRecord.Place) -> Int {
    var low = 0
    var high = sections.count
    // The last one that begins at the place or before it.
    while high - low > 1 {
      let middle = (low + high) / 2
      let section = sections[middle]
      if (section.file, section.offset) <= (place.file, place.offset) {
        low = middle
      } else {
        high = middle
      }
    }
    return low
  }
}
