/// Follows every subscription of a log from record to record.
struct LogAnalyzer: RecordVisitor {
  private var log = LogAnalysis()
  private var sites = SiteTable()
  private var lostByRecords: UInt64 = 0
  private var lostByEnd: UInt64 = 0
  /// Set at the header of a second log in the file, whose ids mean other subscriptions.
  private var isPastLog = false
  private(set) var headerLine = 0

  mutating func visitElement(
    _ moment: TraceRecord.Moment, at time: Nanoseconds, _ place: TraceRecord.Place
  ) {
    guard !isPastLog else { return }
    log.records += 1
    log.lastTime = max(log.lastTime, time)
    let index = happened(.next, moment, time, place)
    log.lifecycles[index].elements += 1
  }

  mutating func visit(_ record: TraceRecord, at place: TraceRecord.Place) {
    guard !isPastLog else { return }
    if case .trace(let header) = record.body {
      guard log.header == nil else {
        log.damage.note(.secondLog, line: place.line)
        isPastLog = true
        return
      }
      log.header = header
      headerLine = place.line
    }
    log.records += 1
    log.lastTime = max(log.lastTime, record.time)

    switch record.body {
    case .subscribe(let subscribe):
      begin(subscribe, record.time, place)
    case .alive(let subscribe):
      if log.table.index(of: subscribe.id).map({ log.lifecycles[$0].hasSubscribe }) != true {
        begin(subscribe, record.time, place)
        // It may stand before the `subscribe` that it repeats.
        if let index = log.table.index(of: subscribe.id) { log.lifecycles[index].isRestated = true }
      }
    case .place(let lane, let source, let function):
      sites.name(lane, source: source, function: function)
    case .next(let moment):
      let index = happened(.next, moment, record.time, place)
      log.lifecycles[index].elements += 1
    case .completed(let moment):
      finish(.completed, .completed, moment, record.time, place)
    case .failed(let moment):
      finish(.failed, .failed, moment, record.time, place)
    case .disposed(let moment):
      finish(.disposed, .disposed, moment, record.time, place)
    case .released(let moment):
      finish(.released, .released, moment, record.time, place)
    case .breakpoint(let moment):
      _ = happened(.breakpoint, moment, record.time, place)
    case .lost(let count, _):
      let (sum, overflows) = lostByRecords.addingReportingOverflow(count)
      lostByRecords = overflows ? .max : sum
    case .end(let records, let lost):
      guard log.end == nil else { return }
      log.end = LogAnalysis.End(time: record.time, records: records)
      lostByEnd = lost
    case .continued(_, let lost):
      log.continues = true
      lostByEnd = lost
    case .trace, .thread, .mark, .scopeBegin, .scopeEnd, .unknown:
      break
    }
  }

  /// What the log says, now that all of it was seen.
  func finish(_ tally: LogReader.Tally) -> LogAnalysis {
    var log = log
    log.bytes = tally.bytes
    log.damage.merge(tally.damage)
    log.lost = max(lostByRecords, lostByEnd)
    if sites.hasNames { nameSites(of: &log) }
    if log.header == nil { log.damage.note(.missingHeader, line: 1) }
    for lifecycle in log.lifecycles where !lifecycle.hasSubscribe {
      log.damage.note(.missingSubscribe, line: lifecycle.firstLine)
    }
    return log
  }

  /// Gives observations that nobody named the names that the log learnt at its end.
  private func nameSites(of log: inout LogAnalysis) {
    var known: [ObjectIdentifier: Site] = [:]
    // Several call stacks may lead to one place.
    var places: [[String?]: Site] = [:]
    for index in log.lifecycles.indices {
      let site = log.lifecycles[index].site
      if let named = known[ObjectIdentifier(site)] {
        log.lifecycles[index].site = named
        continue
      }
      var named = sites.named(site)
      if named !== site {
        let place = [named.source, named.function, named.type]
        named = places[place] ?? named
        places[place] = named
      }
      known[ObjectIdentifier(site)] = named
      log.lifecycles[index].site = named
    }
  }

  private mutating func begin(
    _ record: TraceRecord.Subscribe, _ time: Nanoseconds, _ place: TraceRecord.Place
  ) {
    noteIfAfterLogEnd(place)
    let index: Int
    if let known = log.table.index(of: record.id) {
      guard !log.lifecycles[known].hasSubscribe || log.lifecycles[known].isRestated else {
        log.damage.note(.duplicateSubscribe, line: place.line)
        return
      }
      // Another thread was quicker to write what happened next.
      index = known
      log.lifecycles[index].isRestated = false
      log.lifecycles[index].site = sites.site(of: record)
      log.lifecycles[index].start = min(log.lifecycles[index].start, time)
      log.lifecycles[index].hasSubscribe = true
    } else {
      index = insert(record.id, sites.site(of: record), .subscribe, time, place)
    }
    log.lifecycles[index].parent = record.parent
    log.lifecycles[index].cause = record.cause
    log.lifecycles[index].livesUntilExit = record.livesUntilExit
  }

  /// The place of the subscription to which something happened.
  @inline(__always)
  private mutating func happened(
    _ kind: LogFormat.Event, _ record: TraceRecord.Moment, _ time: Nanoseconds,
    _ place: TraceRecord.Place
  ) -> Int {
    noteIfAfterLogEnd(place)
    guard let index = log.table.index(of: record.id) else {
      return insert(record.id, sites.site(lane: record.lane), kind, time, place)
    }
    if let end = log.lifecycles[index].end, time > end {
      log.damage.note(.afterEnd, line: place.line)
    }
    if time >= log.lifecycles[index].last.time {
      log.lifecycles[index].last = Lifecycle.LastEvent(kind: kind, time: time, place: place)
    } else if time < log.lifecycles[index].start, !log.lifecycles[index].hasSubscribe {
      log.lifecycles[index].start = time
    }
    return index
  }

  private mutating func finish(
    _ state: Lifecycle.State, _ kind: LogFormat.Event, _ record: TraceRecord.Moment,
    _ time: Nanoseconds, _ place: TraceRecord.Place
  ) {
    let index = happened(kind, record, time, place)
    guard log.lifecycles[index].isActive else {
      // A subscription ends once: whatever comes later is noted, and the first end stays.
      if log.lifecycles[index].end == time { log.damage.note(.afterEnd, line: place.line) }
      return
    }
    log.lifecycles[index].state = state
    log.lifecycles[index].end = time
  }

  private mutating func insert(
    _ id: SubscriptionID, _ site: Site, _ kind: LogFormat.Event, _ time: Nanoseconds,
    _ place: TraceRecord.Place
  ) -> Int {
    let index = log.lifecycles.count
    log.table.insert(id, index: index)
    log.lifecycles.append(
      Lifecycle(
        id: id, site: site, start: time,
        last: Lifecycle.LastEvent(kind: kind, time: time, place: place), firstLine: place.line,
        hasSubscribe: kind == .subscribe))
    return index
  }

  private mutating func noteIfAfterLogEnd(_ place: TraceRecord.Place) {
    if log.end != nil { log.damage.note(.afterLogEnd, line: place.line) }
  }
}
