package import TraceFormat

/// The lifecycle of one subscription, as far as the log contains it.
///
/// `LifecycleList` stores its two parts separately.
package struct Lifecycle: Sendable {
  package enum State: Int, CaseIterable, BitwiseCopyable, Sendable {
    case active, completed, failed, disposed, released

    /// Creates the state after an event, which must be an end.
    init(endingWith kind: LogFormat.Event) {
      self =
        switch kind {
        case .completed: .completed
        case .failed: .failed
        case .released: .released
        default: .disposed
        }
    }
  }

  /// The source of the data about a subscription's beginning. Higher values are better sources.
  enum Birth: Int8, Sendable {
    case missing
    /// A later file of the log lists the subscription as alive.
    case restated
    case subscribe
  }

  private(set) var activity: Activity
  private(set) var origin: Origin

  /// The latest event of a subscription. Its text can be read again from its location.
  package struct LastEvent: Sendable {
    package var time: Nanoseconds
    package var location: TraceRecord.Location
    package var kind: LogFormat.Event
  }

  /// Creates the lifecycle of a subscription from its first event.
  init(
    _ id: SubscriptionID, _ site: KnownSite, _ kind: LogFormat.Event, _ time: Nanoseconds,
    _ location: TraceRecord.Location
  ) {
    activity = Activity(
      lastTime: kind == Activity.onlyFacts ? Activity.noTime : time, lastLocation: location,
      lastKind: kind)
    origin = Origin(id, site, time, location)
  }

  @inline(__always)
  init(_ activity: Activity, _ origin: Origin) {
    self.activity = activity
    self.origin = origin
  }

  package var id: SubscriptionID { SubscriptionID(known: origin.id.number) }
  package var elements: Int { Int(activity.elements) }
  /// A hash of the elements in order; equal elements have equal hashes.
  var digest: ElementDigest { activity.digest }
  var peakRate: PeakRate { PeakRate(activity.rate, first: origin.firstRun) }
  package var state: State { activity.state }
  var birth: Birth { activity.birth }
  /// A Boolean value that indicates whether the digest covers the whole text of every element.
  var hasAllTexts: Bool { activity.traits.contains(.allTexts) }
  package var last: LastEvent {
    LastEvent(
      time: activity.hasEvents ? activity.lastTime : start, location: activity.lastLocation,
      kind: activity.hasEvents ? activity.lastKind : .subscribe)
  }
  /// The number of elements that were delivered on a thread other than the main thread;
  /// `firstElsewhere` is the place of the first of them.
  package var elsewhere: UInt32 { activity.elsewhere }
  /// The file and the line of the first element that was delivered on a thread other than the main
  /// thread.
  var firstElsewhere: (file: Int, line: Int)? { elsewhere > 0 ? origin.elsewhere : nil }
  package var start: Nanoseconds { origin.start }
  /// The location of the first record, without its length.
  package var firstLocation: TraceRecord.Location { origin.firstLocation }
  package var site: Site { origin.site.site }
  /// The subscription downstream, for which this one was made.
  package var parent: SubscriptionID? { SubscriptionID(origin.parent.number) }
  /// The subscription whose delivery made this one.
  package var cause: SubscriptionID? { SubscriptionID(origin.cause.number) }
  /// The number of the thread on which the subscription was made.
  package var thread: UInt64? { origin.thread == 0 ? nil : UInt64(origin.thread) }
  /// The number of the scope in which the subscription was made.
  package var scope: UInt64? { origin.scope == .zero ? nil : origin.scope.number }
  /// The index of the log in `LogAnalysis.logs`.
  package var log: Int32 { activity.log }
  package var livesUntilExit: Bool { activity.livesUntilExit }
  /// A Boolean value that indicates whether this is the life of a task.
  package var isTask: Bool { activity.isTask }
  /// A Boolean value that indicates whether this isn't a subscription, but objects that leaked.
  package var isObject: Bool { activity.isObject }
  /// A Boolean value that indicates whether the subscription joined a source that others observe
  /// too, so that no work is done for it alone.
  package var isShared: Bool { activity.traits.contains(.isShared) }
  /// A Boolean value that indicates whether another subscription has the same number: there is a
  /// second beginning that is not a copy of the first.
  package var beginsTwice: Bool { activity.traits.contains(.beginsTwice) }
  /// The index of the place where the subscription was observed, in the table of its log.
  var observedIndex: UInt32 { origin.observed }
  /// The time at which the subscription ended; `nil` while it is active.
  package var end: Nanoseconds? { state == .active ? nil : Nanoseconds(origin.end) }
  /// A Boolean value that indicates whether the log contains the `subscribe` of the subscription,
  /// or a repetition of it.
  package var hasBeginning: Bool { birth != .missing }
  package var isActive: Bool { activity.isActive }
  /// A Boolean value that indicates whether the subscription is active although it wasn't declared
  /// to live until exit.
  package var isUnexpectedlyActive: Bool { activity.isUnexpectedlyActive }
  /// The urgency with which users need to look at the subscription. 0 is the most urgent.
  package var urgency: Int { activity.urgency }
  /// The urgency of a subscription without a problem. Higher values only determine the order.
  static let harmlessUrgency = 3
  /// The lifetime; `nil` while the subscription is active.
  package var life: Nanoseconds? { end?.since(start) }
  /// A Boolean value that indicates whether the part that was read contains the beginning.
  package var isWhole: Bool { activity.isWhole }
  /// A Boolean value that indicates whether something happened to the subscription after it ended.
  var hasEventsAfterEnd: Bool {
    activity.traits.contains(.endsTwice)
      || (state != .active && activity.lastTime.count > origin.end && !activity.lastKind.isWait)
  }

  package func isAlive(at time: Nanoseconds) -> Bool {
    start <= time && (state == .active || origin.end > time.count)
  }
}

// These functions take the events of the subscription in the order of the file.
extension Lifecycle {
  mutating func begin(
    _ record: TraceRecord.Subscribe, _ site: KnownSite, observed: UInt32, _ birth: Birth,
    _ time: Nanoseconds, line: Int
  ) {
    let moved = activity.traits.contains(.isMoved) ? origin : nil
    note(record, site, time)
    origin.observed = observed
    if let moved { origin.takeOwner(of: moved) }
    noteTraits(record)
    origin.birthLine = UInt32(clamping: line)
    activity.birth = birth
    noteLifetime(record.livesUntilExit)
  }

  private mutating func note(
    _ record: TraceRecord.Subscribe, _ site: KnownSite, _ time: Nanoseconds
  ) {
    origin.site = site
    origin.start = time
    origin.parent = ShortNumber(record.parent?.number ?? 0)
    origin.cause = ShortNumber(record.cause?.number ?? 0)
    origin.scope = ShortNumber(record.scope ?? 0)
    origin.thread = UInt32(clamping: record.thread ?? 0)
  }

  /// Notes the properties that any beginning of a subscription gives it, even a second one.
  mutating func noteTraits(_ record: TraceRecord.Subscribe) {
    if record.isShared { activity.traits.insert(.isShared) }
    if record.op == .task { activity.traits.insert(.isTask) }
    if record.op == .object { activity.traits.insert(.isObject) }
  }

  private mutating func noteLifetime(_ livesUntilExit: Bool) {
    if livesUntilExit {
      activity.traits.insert(.livesUntilExit)
    } else {
      activity.traits.remove(.livesUntilExit)
    }
  }

  /// Notes the properties that a later record changes.
  mutating func change(_ record: TraceRecord.Changed, observed: UInt32) {
    if record.isShared { activity.traits.insert(.isShared) }
    guard record.parent != nil || observed != ObservedTable.nowhere else { return }
    activity.traits.insert(.isMoved)
    origin.parent = ShortNumber(record.parent?.number ?? 0)
    origin.observed = observed
  }

  mutating func happen(
    _ kind: LogFormat.Event, _ time: Nanoseconds, _ location: TraceRecord.Location
  ) {
    activity.happen(kind, time, location, &origin)
  }

  /// Notes a second beginning, which may be a copy of the first one.
  mutating func noteSecond(
    _ record: TraceRecord.Subscribe, _ site: KnownSite, _ time: Nanoseconds
  ) {
    var second = self
    second.note(record, site, time)
    if !second.origin.isBegun(like: origin) { activity.traits.insert(.beginsTwice) }
  }

  /// Gives the subscription the site with the name that the log has at its end.
  mutating func rename(to site: KnownSite) { origin.site = site }

  /// Notes that the subscription was made for one that lives until exit.
  mutating func inheritLifetime() { noteLifetime(true) }

  /// Translates the index of the place to the table of another part.
  ///
  /// - Parameter known: The index in the other table for each index.
  mutating func moveObserved(to known: [UInt32]) {
    let index = Int(origin.observed)
    origin.observed = index < known.count ? known[index] : ObservedTable.nowhere
  }

  /// Gives the subscription its place among all logs.
  ///
  /// - Parameter time: The start of its log on the axis of all logs.
  mutating func join(log: Int32, startingAt time: UInt64) {
    activity.log = log
    guard time > 0 else { return }
    origin.start = start.after(time)
    activity.lastTime = activity.lastTime.after(time)
    if !isActive { origin.end = Nanoseconds(origin.end).after(time).count }
  }

  /// Counts the times of the subscription from a later moment, such as the start of its own log.
  mutating func count(from time: UInt64) {
    origin.start = start.since(Nanoseconds(time))
    activity.lastTime = activity.lastTime.since(Nanoseconds(time))
    if !isActive { origin.end = Nanoseconds(origin.end).since(Nanoseconds(time)).count }
  }

  mutating func move(byLines lines: Int) {
    guard lines > 0 else { return }
    origin.move(byLines: lines)
    activity.lastLocation.move(byLines: lines)
  }

  /// Adds the data of the following part about the same subscription.
  ///
  /// - Returns: The line of a second beginning, if any.
  mutating func append(_ next: Lifecycle) -> Int? {
    var again: Int?
    if isWhole, next.isWhole {
      again = Int(next.origin.birthLine)
      if !next.origin.isBegun(like: origin) { activity.traits.insert(.beginsTwice) }
    }
    activity.traits.formUnion(
      next.activity.traits.intersection([.beginsTwice, .isShared, .isTask, .isObject]))
    let moved = activity.traits.contains(.isMoved) && next.birth != .restated ? origin : nil
    defer {
      if next.activity.traits.contains(.isMoved) {
        activity.traits.insert(.isMoved)
        origin.takeOwner(of: next.origin)
      } else if let moved {
        origin.takeOwner(of: moved)
      }
    }
    if next.birth.rawValue > birth.rawValue {
      origin.takeBeginning(of: next.origin)
      activity.birth = next.birth
      noteLifetime(next.livesUntilExit)
    } else if birth == .missing, next.activity.hasEvents {
      origin.start = activity.hasEvents ? min(start, next.start) : next.start
    }
    if next.activity.hasEvents,
      !activity.hasEvents || next.activity.lastTime >= activity.lastTime
    {
      activity.lastTime = next.activity.lastTime
      activity.lastLocation = next.activity.lastLocation
      activity.lastKind = next.activity.lastKind
    }
    activity.traits.formUnion(next.activity.traits.intersection(.endsTwice))
    if isActive {
      activity.state = next.state
      origin.end = next.origin.end
    } else if !next.isActive {
      activity.traits.insert(.endsTwice)
    }
    appendElements(next)
    return again
  }

  private mutating func appendElements(_ next: Lifecycle) {
    if elsewhere == 0 { origin.takeElsewhere(of: next.origin) }
    if !next.hasAllTexts { activity.traits.remove(.allTexts) }
    activity.elsewhere = activity.elsewhere.saturatingSum(next.elsewhere)
    activity.digest.append(next.digest, count: next.elements)
    var peakRate = peakRate
    peakRate.append(next.peakRate)
    activity.rate = peakRate.recent
    origin.firstRun = peakRate.first
    activity.elements = activity.elements.saturatingSum(next.activity.elements)
  }
}

extension UInt32 {
  fileprivate func saturatingSum(_ other: UInt32) -> UInt32 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? .max : sum
  }
}
