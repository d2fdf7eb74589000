package import TraceFormat

/// The life of one subscription, as far as the log contains it.
package struct Lifecycle: Sendable {
  package enum State: Int, CaseIterable, Sendable {
    case active, completed, failed, disposed, released
  }

  /// The source of a subscription's beginning; the higher the better.
  enum Birth: Int8, Sendable {
    case missing
    /// A later file of the log says that the subscription is alive.
    case restated
    case subscribe
  }

  // The properties that change with each element are adjacent: with 100,000 subscriptions, nothing
  // else stays in the cache.
  package private(set) var elements = 0
  /// A hash of the elements in order; equal texts have equal hashes.
  package private(set) var digest = ElementDigest()
  package private(set) var pulse = PeakRate()
  private(set) var birth = Birth.missing
  package private(set) var state = State.active
  /// A Boolean value that indicates whether the digest covers the whole text of every element.
  package private(set) var hasAllTexts = true
  package private(set) var last: LastEvent
  /// The number of elements that came on a thread other than the main thread; `firstElsewhere` is
  /// the location of the first of them.
  package private(set) var elsewhere: UInt32 = 0
  private var birthLine: UInt32 = 0
  package var start: Nanoseconds
  package let id: SubscriptionID
  private var endCount = UInt64.max
  private var elsewhereLocation: TraceRecord.Location
  /// The location of the first record.
  package private(set) var firstLocation: TraceRecord.Location
  private var knownSite: KnownSite
  private var parentNumber: UInt64 = 0
  private var causeNumber: UInt64 = 0
  private var scopeNumber: UInt64 = 0
  /// The index of the log in `LogAnalysis.logs`.
  package internal(set) var log: Int32 = 0
  private var threadNumber: UInt32 = 0
  package private(set) var livesUntilExit = false
  private var endsTwice = false
  /// A Boolean value that indicates whether another subscription has the same number: there is a
  /// second beginning that is not a copy of the first.
  package private(set) var beginsTwice = false
  /// The index of the place where the subscription was observed, in the table of its log. It fits
  /// into what the alignment of a lifecycle would waste.
  private(set) var observedIndex = ObservedTable.nowhere

  /// The latest event of a subscription. Its text can be read again from its location.
  package struct LastEvent: Sendable {
    package var time: Nanoseconds
    package var location: TraceRecord.Location
    package var kind: LogFormat.Event
  }

  /// Creates the life of a subscription from its first event.
  init(
    _ id: SubscriptionID, _ site: KnownSite, _ kind: LogFormat.Event, _ time: Nanoseconds,
    _ location: TraceRecord.Location
  ) {
    self.id = id
    knownSite = site
    start = time
    firstLocation = location
    elsewhereLocation = location
    last = LastEvent(time: time, location: location, kind: kind)
  }

  package var site: Site { knownSite.site }
  /// The subscription downstream, for which this one was made.
  package var parent: SubscriptionID? { SubscriptionID(parentNumber) }
  /// The subscription whose delivery made this one.
  package var cause: SubscriptionID? { SubscriptionID(causeNumber) }
  /// The number of the thread on which the subscription was made.
  package var thread: UInt64? { threadNumber == 0 ? nil : UInt64(threadNumber) }
  /// The number of the scope in which the subscription was made.
  package var scope: UInt64? { scopeNumber == 0 ? nil : scopeNumber }
  /// The time at which the subscription ended; `nil` while it is active.
  package var end: Nanoseconds? { state == .active ? nil : Nanoseconds(endCount) }
  /// A Boolean value that indicates whether the log contains the `subscribe` of the subscription,
  /// or a repetition of it.
  package var hasBeginning: Bool { birth != .missing }
  package var isActive: Bool { state == .active }
  /// A Boolean value that indicates whether the subscription is active although nobody declared
  /// that it lives until exit.
  package var isUnexpectedlyActive: Bool { isActive && !livesUntilExit }
  /// The urgency with which users need to look at the subscription. 0 is the most urgent.
  package var urgency: Int {
    switch state {
    case .active where isUnexpectedlyActive: 0
    case .failed: 1
    case .released: 2
    case .active: Self.harmlessUrgency
    case .disposed: 4
    case .completed: 5
    }
  }
  /// The urgency of subscriptions with which nothing is wrong. Higher values only set an order.
  package static let harmlessUrgency = 3
  /// The length of the life; `nil` while the subscription is active.
  package var life: Nanoseconds? { end?.since(start) }
  /// The location of the first element that came on a thread other than the main thread.
  package var firstElsewhere: TraceRecord.Location? { elsewhere > 0 ? elsewhereLocation : nil }
  /// A Boolean value that indicates whether the part that was read contains the beginning.
  package var isWhole: Bool { birth == .subscribe }
  /// A Boolean value that indicates whether something happened to the subscription after it ended.
  package var goesOnAfterEnd: Bool {
    endsTwice || (state != .active && last.time.count > endCount)
  }

  package func isAlive(at time: Nanoseconds) -> Bool {
    start <= time && (state == .active || endCount > time.count)
  }
}

// These functions take the events of the subscription in the order of the file.
extension Lifecycle {
  mutating func begin(
    _ record: TraceRecord.Subscribe, _ site: KnownSite, observed: UInt32, _ birth: Birth,
    _ time: Nanoseconds, line: Int
  ) {
    knownSite = site
    observedIndex = observed
    self.birth = birth
    birthLine = UInt32(clamping: line)
    start = time
    parentNumber = record.parent?.number ?? 0
    causeNumber = record.cause?.number ?? 0
    scopeNumber = record.scope ?? 0
    threadNumber = UInt32(clamping: record.thread ?? 0)
    livesUntilExit = record.livesUntilExit
  }

  @inline(__always)
  mutating func happen(
    _ kind: LogFormat.Event, _ time: Nanoseconds, _ location: TraceRecord.Location
  ) {
    if time >= last.time {
      last = LastEvent(time: time, location: location, kind: kind)
    } else if birth == .missing, time < start {
      start = time
    }
  }

  @inline(__always)
  mutating func add(
    _ moment: TraceRecord.Moment, _ time: Nanoseconds, _ location: TraceRecord.Location
  ) {
    happen(.next, time, location)
    elements += 1
    pulse.beat(time)
    if let text = moment.text { digest.add(text) } else { digest.addNothing() }
    if moment.text == nil || moment.truncated != nil { hasAllTexts = false }
    if let thread = moment.thread, thread != LogFormat.mainThread {
      if elsewhere == 0 { elsewhereLocation = location }
      elsewhere &+= elsewhere == .max ? 0 : 1
    }
  }

  /// Notes a second beginning, and returns whether it is a copy of the first one.
  mutating func noteSecond(
    _ record: TraceRecord.Subscribe, _ site: KnownSite, _ time: Nanoseconds
  ) -> Bool {
    let isCopy =
      time == start && site.site === self.site && record.parent == parent && record.cause == cause
      && (record.scope ?? 0) == scopeNumber
      && UInt32(clamping: record.thread ?? 0) == threadNumber
    if !isCopy { beginsTwice = true }
    return isCopy
  }

  mutating func finish(_ state: State, _ time: Nanoseconds) {
    // A subscription ends once. A later end is noted, and the first end stays.
    guard self.state == .active else { return endsTwice = true }
    self.state = state
    endCount = time.count
  }

  /// Gives the subscription the site with the name that the log has at its end.
  mutating func rename(to site: KnownSite) { knownSite = site }

  /// Notes that the subscription was made for one that lives until exit.
  mutating func inheritLifetime() {
    livesUntilExit = true
  }

  /// Translates the index of the place to the table of another part.
  ///
  /// - Parameter known: The index in the other table for each index.
  mutating func moveObserved(to known: [UInt32]) {
    let index = Int(observedIndex)
    observedIndex = index < known.count ? known[index] : ObservedTable.nowhere
  }

  mutating func shift(by time: UInt64) {
    guard time > 0 else { return }
    start = start.after(time)
    last.time = last.time.after(time)
    if state != .active { endCount = Nanoseconds(endCount).after(time).count }
  }

  mutating func move(byLines lines: Int) {
    guard lines > 0 else { return }
    firstLocation.move(byLines: lines)
    last.location.move(byLines: lines)
    elsewhereLocation.move(byLines: lines)
    birthLine = UInt32(clamping: Int(birthLine) + lines)
  }

  /// Adds what the following part says about the same subscription.
  ///
  /// - Returns: The line of a second beginning, and whether it is a copy of the first; nil if there
  ///   is none.
  mutating func append(_ next: Lifecycle) -> (line: Int, isCopy: Bool)? {
    var again: (line: Int, isCopy: Bool)?
    if birth == .subscribe, next.birth == .subscribe {
      let isCopy =
        next.start == start && next.site === site && next.parentNumber == parentNumber
        && next.causeNumber == causeNumber && next.scopeNumber == scopeNumber
        && next.threadNumber == threadNumber
      again = (Int(next.birthLine), isCopy)
      if !isCopy { beginsTwice = true }
    }
    beginsTwice = beginsTwice || next.beginsTwice
    if next.birth.rawValue > birth.rawValue {
      knownSite = next.knownSite
      birth = next.birth
      birthLine = next.birthLine
      start = next.start
      parentNumber = next.parentNumber
      causeNumber = next.causeNumber
      scopeNumber = next.scopeNumber
      threadNumber = next.threadNumber
      livesUntilExit = next.livesUntilExit
      observedIndex = next.observedIndex
    } else if birth == .missing {
      start = min(start, next.start)
    }
    if next.last.time >= last.time { last = next.last }
    if state == .active {
      state = next.state
      endCount = next.endCount
      endsTwice = next.endsTwice
    } else {
      endsTwice = endsTwice || next.state != .active
    }
    if elsewhere == 0 { elsewhereLocation = next.elsewhereLocation }
    hasAllTexts = hasAllTexts && next.hasAllTexts
    let (sum, overflows) = elsewhere.addingReportingOverflow(next.elsewhere)
    elsewhere = overflows ? .max : sum
    digest.append(next.digest, count: next.elements)
    pulse.append(next.pulse)
    elements += next.elements
    return again
  }
}
