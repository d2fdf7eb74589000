import TraceFormat

/// One log, joined from its parts in their order.
struct JoinedLog {
  private(set) var whole: SegmentAccumulator
  /// The parts. The subscriptions of the first part have moved to `whole`.
  let parts: [SegmentAccumulator]
  /// The damage of each part that is only found by comparing it with the parts before it.
  let damage: [Damage]

  /// Joins parts; returns nil if there are none.
  init?(_ taken: consuming [SegmentAccumulator]) {
    var parts = consume taken
    guard var whole = parts.first else { return nil }
    // With a second reference, the next change would copy the subscriptions.
    _ = parts[0].takeLifecycles()
    var damage = [Damage()]
    for var part in parts.dropFirst() {
      whole.damage = Damage()
      part.damage = Damage()
      whole.append(part, lines: 0)
      damage.append(whole.damage)
    }
    self.whole = whole
    self.parts = parts
    self.damage = damage
  }

  /// Returns the log without its subscriptions.
  ///
  /// - Parameter offset: The start of the log on the axis of all logs, in nanoseconds.
  func log(_ files: [LogSource], offset: UInt64) -> TraceLog {
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
    log.callers = whole.observed.callers(whole.sites.name)
    log.retentions = whole.retentions.all
    log.twins = whole.twins.all
    log.tasks = whole.tasks.all
    log.objects = whole.objects.all
    log.inspection = whole.process
    log.inspection?.threads = whole.stacks.map { stack in
      var stack = stack
      stack.since = stack.since.after(offset)
      return stack
    }
    log.inspection?.hangs = whole.hangs
    log.searched = whole.searched
    log.taskLimit = whole.taskLimit
    log.instances = whole.instances
    log.waits = whole.waits.finished
    log.latestWaits = whole.latestWaits.all.mapValues { $0.explained(by: whole.sites.name) }
    log.taskNumbers = whole.taskNumbers.all
    return log
  }

  /// Removes and returns the subscriptions of the log.
  mutating func takeLifecycles(log: Int, offset: UInt64) -> LifecycleList {
    var lifecycles = whole.takeLifecycles()
    if whole.sites.namesLanes { whole.sites.nameSites(of: &lifecycles) }
    lifecycles.inheritLifetimes(whole.table)
    // A lifecycle belongs to the first log until it joins another one.
    guard log > 0 || offset > 0 else { return lifecycles }
    for index in lifecycles.indices {
      lifecycles[index].join(log: Int32(clamping: log), startingAt: offset)
    }
    return lifecycles
  }

  func marks(log: Int, offset: UInt64) -> [LogMark] {
    whole.marks.map { LogMark(time: $0.time.after(offset), name: $0.name, log: log) }
  }

  func scopes(log: Int, offset: UInt64) -> [LogScope] {
    whole.scopes.scopes.map { scope in
      var scope = scope
      scope.begin = scope.begin?.after(offset)
      scope.end = scope.end?.after(offset)
      scope.log = log
      return scope
    }
  }
}
