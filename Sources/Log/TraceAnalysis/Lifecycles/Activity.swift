import TraceFormat

/// The part of a lifecycle that changes with each element.
///
/// It takes 64 bytes, which is one cache line. With many subscriptions, most elements wait for the
/// memory of their subscription.
struct Activity: BitwiseCopyable, Sendable {
  var rate = PeakRate.Recent()
  var digest = ElementDigest()
  /// The time of the last event, or `noTime` before the first one.
  var lastTime: Nanoseconds
  var lastLocation: TraceRecord.Location
  /// The number of elements. It saturates at the maximum, which no file reaches.
  var elements: UInt32 = 0
  /// The number of elements that were delivered on a thread other than the main thread.
  var elsewhere: UInt32 = 0
  /// The index of the log in `LogAnalysis.logs`.
  var log: Int32 = 0
  var lastKind: LogFormat.Event
  var state = Lifecycle.State.active
  var birth = Lifecycle.Birth.missing
  var traits = Traits.allTexts

  struct Traits: OptionSet, Sendable {
    let rawValue: UInt8

    /// The digest covers the whole text of every element.
    static let allTexts = Traits(rawValue: 1)
    static let livesUntilExit = Traits(rawValue: 2)
    static let endsTwice = Traits(rawValue: 4)
    static let beginsTwice = Traits(rawValue: 8)
    /// The subscription joined a source that others observe too.
    static let isShared = Traits(rawValue: 16)
    /// A record after the beginning changed what the subscription is made for.
    static let isMoved = Traits(rawValue: 32)
    /// The subscription is the life of a task.
    static let isTask = Traits(rawValue: 64)
    /// This isn't a subscription, but objects that leaked.
    static let isObject = Traits(rawValue: 128)
  }

  /// The kind of the last event of a subscription about which only facts are known so far: records
  /// such as `changed` and `task`, which aren't events. A later part of a file can begin with one.
  static let onlyFacts = LogFormat.Event.changed

  /// The time of the last event of such a subscription. No time is later, so `happen` needs no
  /// comparison of its own for it. With one, a record took 608 instead of 575 instructions.
  static let noTime = Nanoseconds(.max)

  /// A Boolean value that indicates whether something happened to the subscription.
  var hasEvents: Bool { lastKind != Self.onlyFacts }
  var isActive: Bool { state == .active }
  var livesUntilExit: Bool { traits.contains(.livesUntilExit) }
  /// Tasks and objects have rules of their own.
  var isUnexpectedlyActive: Bool { isActive && !livesUntilExit && isOfLane }
  var isTask: Bool { traits.contains(.isTask) }
  var isObject: Bool { traits.contains(.isObject) }
  /// Whether this is a subscription of a lane, and neither a task nor objects.
  var isOfLane: Bool { !isTask && !isObject }
  var isWhole: Bool { birth == .subscribe }
  /// The urgency with which users need to look at the subscription. 0 is the most urgent.
  var urgency: Int {
    switch state {
    case .active where isUnexpectedlyActive: 0
    case .failed: 1
    case .released: 2
    case .active: Lifecycle.harmlessUrgency
    case .disposed: 4
    case .completed: 5
    }
  }

  /// The properties of an element that a lifecycle needs. Its text is reduced to a number.
  struct Element: Sendable {
    let time: Nanoseconds
    let location: TraceRecord.Location
    /// The number of its text in an `ElementDigest`.
    let number: UInt64
    let hasWholeText: Bool
    let isElsewhere: Bool

    @inline(__always)
    init(
      _ moment: TraceRecord.Moment, _ time: Nanoseconds, _ location: TraceRecord.Location
    ) {
      self.time = time
      self.location = location
      number = ElementDigest.number(of: moment.text)
      hasWholeText = moment.text != nil && moment.truncated == nil
      isElsewhere = moment.thread.map { $0 != LogFormat.mainThread } ?? false
    }
  }

  /// Adds an element. Only unusual elements change the other part of the lifecycle.
  @inline(__always)
  mutating func add(_ element: Element, _ origin: inout Origin) {
    happen(.next, element.time, element.location, &origin)
    elements &+= elements == .max ? 0 : 1
    digest.add(element.number)
    if !element.hasWholeText { traits.remove(.allTexts) }
    if !rate.extend(PeakRate.second(of: element.time)) { beginRun(element.time, &origin) }
    if element.isElsewhere {
      if elsewhere == 0 { origin.noteElsewhere(element.location) }
      elsewhere &+= elsewhere == .max ? 0 : 1
    }
  }

  @inline(__always)
  mutating func happen(
    _ kind: LogFormat.Event, _ time: Nanoseconds, _ location: TraceRecord.Location,
    _ origin: inout Origin
  ) {
    if time >= lastTime {
      lastTime = time
      lastLocation = location
      lastKind = kind
    } else if !hasEvents {
      beginEvents(kind, time, location, &origin)
    } else if birth == .missing, time < origin.start {
      origin.start = time
    }
  }

  @inline(never)
  private mutating func beginEvents(
    _ kind: LogFormat.Event, _ time: Nanoseconds, _ location: TraceRecord.Location,
    _ origin: inout Origin
  ) {
    (lastTime, lastLocation, lastKind) = (time, location, kind)
    if birth == .missing { origin.start = time }
  }

  mutating func finish(
    _ state: Lifecycle.State, _ time: Nanoseconds, _ origin: inout Origin
  ) {
    // A subscription ends once. A later end is noted, and the first end stays.
    guard isActive else {
      traits.insert(.endsTwice)
      return
    }
    self.state = state
    origin.end = time.count
  }

  @inline(never)
  private mutating func beginRun(_ time: Nanoseconds, _ origin: inout Origin) {
    // The other part of the lifecycle contains the first run only after the second one begins.
    if rate.isEmpty { return rate = PeakRate(firstElementAt: time).recent }
    var rate = PeakRate(self.rate, first: origin.firstRun)
    rate.countElement(at: time)
    self.rate = rate.recent
    origin.firstRun = rate.first
  }
}
