import TraceFormat

/// The content of one log in one part of a file. It follows every subscription from record to
/// record.
struct SegmentAccumulator: Sendable {
  var header: TraceHeader?
  /// The location of the header or, without a header, of the first record.
  private(set) var firstLocation: TraceRecord.Location?
  private(set) var lifecycles = LifecycleList()
  private(set) var table = SubscriptionTable()
  private(set) var sites = SiteTable()
  private(set) var observed = ObservedTable()
  private(set) var retentions = LatestFacts<Retention>()
  /// Earlier subscriptions that observe the same source.
  private(set) var twins = LatestFacts<SubscriptionID>()
  private(set) var tasks = LatestFacts<UnfinishedTask>()
  private(set) var objects = LatestFacts<LeakedObjects>()
  /// What an inspection found out about the process.
  private(set) var process: InspectedProcess?
  private(set) var stacks: [ThreadStack] = []
  private(set) var hangs: [Hang] = []
  /// The size of the memory that was searched for leaked objects, in bytes.
  private(set) var searched: UInt64?
  /// Why it isn't known which tasks can continue, if it isn't.
  private(set) var taskLimit: Retention.Limit?
  /// The numbers of live objects, in the order of the records.
  private(set) var instances: [InstanceCounts] = []
  private(set) var waits = WaitTimes()
  /// The latest wait of each task that hasn't ended, and the number of each in its process.
  private(set) var latestWaits = LatestFacts<StartedWait>()
  private(set) var taskNumbers = LatestFacts<UInt64>()
  private(set) var threads: [UInt64: String] = [:]
  private(set) var tails = ThreadTails()
  private(set) var marks: [LogMark] = []
  private(set) var scopes = ScopeTable()
  private(set) var end: LogEnd?
  /// The last line of a file whose log continues in another file.
  private(set) var continuation: LogEnd?
  private var lostByRecords: UInt64 = 0
  private var lostByEnd: UInt64 = 0
  private(set) var records = 0
  private var recordsAfterEnd = 0
  /// The number of records after the line that reports that the log continues in another file.
  private var recordsAfterContinuation = 0
  private var lineAfterEnd: Int?
  /// A Boolean value that indicates whether the last line of the file was read.
  private var isClosed = false
  /// The number of copies of each beginning: the records that begin the same subscription with the
  /// same properties. Subscriptions with different beginnings are left out, because which of them
  /// is the copy would depend on where a part of the file begins.
  private var copies: [SubscriptionID: Int] = [:]
  private(set) var lastTime = Nanoseconds.zero
  var damage = Damage()

  var isEmpty: Bool { records == 0 && damage == Damage() }

  /// The number of records that the recorder could not write, according to the log.
  var lost: UInt64 { max(lostByRecords, lostByEnd) }

  /// The number of records besides the last one, and the number that the recorder counted; nil if
  /// it did not count.
  private var account: (found: UInt64, counted: UInt64)? {
    guard let counted = (end ?? continuation)?.records else { return nil }
    return (UInt64(max(0, records - 1 - recordsAfterEnd)), counted)
  }

  /// The number of records that the recorder counted but that are missing; nil if it did not count.
  var missing: UInt64? {
    account.map { $0.counted > $0.found ? $0.counted - $0.found : 0 }
  }

  /// The number of records beyond those that the recorder counted. They belong to another log,
  /// whose header is lost.
  var extra: UInt64 {
    guard let (found, counted) = account else { return 0 }
    let repetitions = UInt64(copies.values.reduce(0, +))
    let others = found - min(found, repetitions)
    return others > counted ? others - counted : 0
  }

  /// All damage, including damage that is found only after everything is read.
  var allDamage: Damage {
    var damage = damage
    if let lineAfterEnd {
      let count = recordsAfterEnd + recordsAfterContinuation
      damage.note(.afterLogEnd, count: count, line: lineAfterEnd)
    }
    return damage
  }

  /// Adds the damage of the lines before this content.
  mutating func take(_ damage: Damage) {
    self.damage.merge(damage)
  }

  mutating func skip(_ kind: Damage.Kind, line: Int) {
    damage.note(kind, line: line)
  }

  /// Removes and returns the subscriptions.
  mutating func takeLifecycles() -> LifecycleList {
    var lifecycles = LifecycleList()
    swap(&lifecycles, &self.lifecycles)
    return lifecycles
  }

  /// A Boolean value that indicates whether there are too many subscriptions for the cache.
  var preparesEvents: Bool {
    @inline(__always) get { lifecycles.count > Self.maxCached }
  }

  static let maxCached = 1 << 17

  /// Begins to load the memory of a subscription. Only its end needs all of it.
  @inline(__always)
  func prepare(for id: SubscriptionID, isEnd: Bool) {
    guard let index = table.index(of: id) else { return }
    if isEnd { lifecycles.prefetchWhole(index) } else { lifecycles.prefetch(index) }
  }

  /// The number of subscriptions by which loading is ahead of merging. With a million
  /// subscriptions, `check` takes 0.96 of the time on two cores because of that (median of 9
  /// pairs), and reading for the interactive view 0.91 (median of 3).
  private static let lookahead = 16

  @inline(__always)
  mutating func visitElement(
    _ moment: TraceRecord.Moment, at time: Nanoseconds, _ location: TraceRecord.Location
  ) {
    note(time, location)
    if let thread = moment.thread {
      tails.note(thread, .init(time: time, subscription: moment.id, kind: .next))
    }
    let index =
      table.index(of: moment.id)
      ?? insert(moment.id, sites.site(lane: moment.lane), .next, time, location)
    lifecycles.add(Activity.Element(moment, time, location), at: index)
  }

  mutating func visitBeginning(
    _ beginning: TraceRecord.Subscribe, at time: Nanoseconds, _ location: TraceRecord.Location
  ) {
    note(time, location)
    begin(beginning, .subscribe, time, location)
  }

  mutating func visitEnd(
    _ kind: LogFormat.Event, _ moment: TraceRecord.Moment, at time: Nanoseconds,
    _ location: TraceRecord.Location
  ) {
    note(time, location)
    finish(kind, moment, time, location)
  }

  mutating func visit(_ record: TraceRecord, at location: TraceRecord.Location) {
    let time = record.time
    // `visitElement` notes elements itself.
    if case .next(let moment) = record.body { return visitElement(moment, at: time, location) }
    note(time, location)
    switch record.body {
    case .trace(let header):
      self.header = header
    case .thread(let number, let name):
      if let name { threads[number] = name.string }
    case .subscribe(let subscribe):
      begin(subscribe, .subscribe, time, location)
    case .alive(let subscribe):
      begin(subscribe, .restated, time, location)
      if let twin = subscribe.twin { twins.note(twin, of: subscribe.id, time, location) }
    case .place(let lane, let source, let function, let calls):
      sites.name(lane, source: source, function: function, calls: calls)
    case .retained(let retained):
      retentions.note(retained.retention, of: retained.id, time, location)
    case .changed(let changed):
      let index =
        table.index(of: changed.id)
        ?? insert(
          changed.id, sites.site(lane: changed.lane), Activity.onlyFacts, time, location)
      lifecycles[index].change(changed, observed: observed.index(of: changed.observed))
      if let twin = changed.twin { twins.note(twin, of: changed.id, time, location) }
    case .task(let task):
      if table.index(of: task.beginning.id) == nil {
        begin(task.beginning, .restated, time, location, as: Activity.onlyFacts)
      }
      tasks.note(task.facts, of: task.beginning.id, time, location)
    case .object(let object):
      if table.index(of: object.beginning.id) == nil {
        begin(object.beginning, .restated, time, location, as: Activity.onlyFacts)
      }
      objects.note(object.facts, of: object.beginning.id, time, location)
    case .instances(let scope, let classes):
      instances.append(InstanceCounts(time: time, scope: scope, classes: classes))
    case .process(let process): self.process = process
    case .stack(var stack):
      stack.since = time
      stacks.append(stack)
    case .hang(let hang): hangs.append(hang)
    case .suspended(let suspended):
      suspend(suspended, time, location)
    case .resumed(let id, let lane):
      noteWait(.resumed, id, lane, time, location)
      waits.note(WaitChange(resumedAt: time), of: id, location)
    case .completed(let moment):
      finish(.completed, moment, time, location)
    case .failed(let moment):
      finish(.failed, moment, time, location)
    case .disposed(let moment):
      finish(.disposed, moment, time, location)
    case .released(let moment):
      finish(.released, moment, time, location)
    case .breakpoint(let moment):
      _ = noteEvent(.breakpoint, moment, time, location)
    case .mark(let name):
      marks.append(LogMark(time: time, name: name?.string ?? "", log: 0))
    case .scopeBegin(let scope): scopes.begin(scope, at: time)
    case .scopeEnd(let number, let name):
      scopes.end(number, at: time, name: name?.string)
    case .lost(let count, _):
      let (sum, overflows) = lostByRecords.addingReportingOverflow(count)
      lostByRecords = overflows ? .max : sum
    case .end(let records, let lost, let searched, let taskLimit):
      if let searched { self.searched = searched }
      if let taskLimit { self.taskLimit = taskLimit }
      if end == nil { end = LogEnd(time: time, records: records) }
      isClosed = true
      lostByEnd = max(lostByEnd, lost)
    case .continued(let records, let lost):
      if continuation == nil { continuation = LogEnd(time: time, records: records) }
      isClosed = true
      lostByEnd = max(lostByEnd, lost)
    case .next, .unknown:
      break
    }
  }

  @inline(__always)
  private mutating func note(_ time: Nanoseconds, _ location: TraceRecord.Location) {
    if isClosed { noteAfterEnd(location) }
    if records == 0 { firstLocation = location }
    records += 1
    lastTime = max(lastTime, time)
  }

  @inline(never)
  private mutating func noteAfterEnd(_ location: TraceRecord.Location) {
    if end != nil { recordsAfterEnd += 1 } else { recordsAfterContinuation += 1 }
    lineAfterEnd = lineAfterEnd ?? location.line
  }

  private mutating func begin(
    _ record: TraceRecord.Subscribe, _ birth: Lifecycle.Birth, _ time: Nanoseconds,
    _ location: TraceRecord.Location, as kind: LogFormat.Event = .subscribe
  ) {
    if let thread = record.thread, birth == .subscribe {
      tails.note(thread, .init(time: time, subscription: record.id, kind: .subscribe))
    }
    if let number = record.task { taskNumbers.note(number, of: record.id, time, location) }
    let site = sites.site(of: record)
    guard let index = table.index(of: record.id) else {
      var lifecycle = Lifecycle(record.id, site, kind, time, location)
      lifecycle.begin(
        record, site, observed: observed.index(of: record.observed), birth, time,
        line: location.line)
      insert(lifecycle)
      return
    }
    lifecycles[index].happen(kind, time, location)
    lifecycles[index].noteTraits(record)
    guard birth.rawValue > lifecycles[index].birth.rawValue else {
      if birth == .subscribe {
        damage.note(.duplicateSubscribe, line: location.line)
        lifecycles[index].noteSecond(record, site, time)
        copies[record.id, default: 0] += 1
        if lifecycles[index].beginsTwice { copies[record.id] = nil }
      }
      return
    }
    // Another thread was faster and wrote a later event first.
    lifecycles[index].begin(
      record, site, observed: observed.index(of: record.observed), birth, time,
      line: location.line)
  }

  /// Notes an event, and returns the index of its subscription.
  private mutating func noteEvent(
    _ kind: LogFormat.Event, _ record: TraceRecord.Moment, _ time: Nanoseconds,
    _ location: TraceRecord.Location
  ) -> Int {
    if let thread = record.thread {
      tails.note(thread, .init(time: time, subscription: record.id, kind: kind))
    }
    guard let index = table.index(of: record.id) else {
      return insert(record.id, sites.site(lane: record.lane), kind, time, location)
    }
    lifecycles.happen(kind, time, location, at: index)
    return index
  }

  private mutating func finish(
    _ kind: LogFormat.Event, _ record: TraceRecord.Moment, _ time: Nanoseconds,
    _ location: TraceRecord.Location
  ) {
    let index = noteEvent(kind, record, time, location)
    lifecycles.finish(Lifecycle.State(endingWith: kind), time, at: index)
    latestWaits.remove(record.id)
    taskNumbers.remove(record.id)
  }

  private mutating func suspend(
    _ record: TraceRecord.Suspended, _ time: Nanoseconds, _ location: TraceRecord.Location
  ) {
    noteWait(.suspended, record.id, record.lane, time, location)
    waits.note(WaitChange(record.wait, at: time), of: record.id, location)
    let wait = StartedWait(
      time: time, wait: record.wait, awaited: record.awaited,
      place: sites.place(of: record))
    latestWaits.note(wait, of: record.id, time, location)
  }

  /// Notes that a task began or ended to wait. Only tasks do.
  private mutating func noteWait(
    _ kind: LogFormat.Event, _ id: SubscriptionID, _ lane: RawText?, _ time: Nanoseconds,
    _ location: TraceRecord.Location
  ) {
    let index =
      table.index(of: id) ?? insert(id, sites.site(lane: lane), kind, time, location)
    lifecycles.noteWait(kind, time, location, at: index)
  }

  /// Sorts the times of waits.
  mutating func finish() { waits.finish() }

  private mutating func insert(
    _ id: SubscriptionID, _ site: KnownSite, _ kind: LogFormat.Event, _ time: Nanoseconds,
    _ location: TraceRecord.Location
  ) -> Int {
    insert(Lifecycle(id, site, kind, time, location))
  }

  @discardableResult
  private mutating func insert(_ lifecycle: Lifecycle) -> Int {
    let index = lifecycles.count
    table.insert(lifecycle.id, index: index)
    lifecycles.append(lifecycle)
    return index
  }
}

extension SegmentAccumulator {
  /// Adds the following part, in the same file or in the next file of the log.
  ///
  /// - Parameter lines: The number of lines before that part in its file.
  mutating func append(_ next: SegmentAccumulator, lines: Int) {
    sites.append(next.sites)
    let knownPlaces = observed.append(next.observed)
    retentions.append(next.retentions)
    twins.append(next.twins)
    tasks.append(next.tasks)
    objects.append(next.objects)
    process = next.process ?? process
    stacks += next.stacks
    hangs += next.hangs
    searched = next.searched ?? searched
    taskLimit = next.taskLimit ?? taskLimit
    instances += next.instances
    waits.append(next.waits)
    latestWaits.append(next.latestWaits)
    taskNumbers.append(next.taskNumbers)
    for number in next.lifecycles.indices {
      let upcoming = number + Self.lookahead
      if preparesEvents, upcoming < next.lifecycles.count {
        let id = SubscriptionID(known: next.lifecycles.origin(at: upcoming).id.number)
        prepare(for: id, isEnd: true)
      }
      var lifecycle = next.lifecycles[number]
      lifecycle.move(byLines: lines)
      lifecycle.moveObserved(to: knownPlaces)
      if let index = table.index(of: lifecycle.id) {
        if let line = lifecycles[index].append(lifecycle) {
          damage.note(.duplicateSubscribe, line: line)
          copies[lifecycle.id, default: 0] += 1
        }
      } else {
        insert(lifecycle)
      }
    }
    forgetEndedTasks()
    threads.merge(next.threads) { _, later in later }
    tails.append(next.tails)
    marks += next.marks
    scopes.append(next.scopes)
    damage.merge(next.damage, lines: lines)
    if end != nil {
      recordsAfterEnd += next.records
    } else if continuation != nil {
      // A record after an end is counted only there, even if it also follows a continuation.
      recordsAfterEnd = next.recordsAfterEnd
      recordsAfterContinuation += next.records - next.recordsAfterEnd
    } else {
      recordsAfterEnd = next.recordsAfterEnd
      recordsAfterContinuation = next.recordsAfterContinuation
    }
    lineAfterEnd =
      lineAfterEnd
      ?? (isClosed ? next.firstLocation?.line : next.lineAfterEnd).map { $0 + lines }
    end = end ?? next.end
    isClosed = isClosed || next.isClosed
    copies.merge(next.copies, uniquingKeysWith: +)
    for id in copies.keys {
      if let index = table.index(of: id), lifecycles[index].beginsTwice { copies[id] = nil }
    }
    continuation = continuation ?? next.continuation
    let (sum, overflows) = lostByRecords.addingReportingOverflow(next.lostByRecords)
    lostByRecords = overflows ? .max : sum
    lostByEnd = max(lostByEnd, next.lostByEnd)
    if records == 0 { firstLocation = next.firstLocation.map { $0.moved(byLines: lines) } }
    records += next.records
    lastTime = max(lastTime, next.lastTime)
  }

  /// Removes what is only known about tasks until they end.
  private mutating func forgetEndedTasks() {
    func hasEnded(_ number: UInt64) -> Bool {
      SubscriptionID(number).flatMap { table.index(of: $0) }.map { !lifecycles[$0].isActive }
        ?? false
    }
    latestWaits.removeAll(where: hasEnded)
    taskNumbers.removeAll(where: hasEnded)
  }
}
