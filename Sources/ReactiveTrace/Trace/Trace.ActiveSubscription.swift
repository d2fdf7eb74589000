import SystemLibrary
import TraceFormat

extension Trace {
  /// A snapshot of a traced subscription that hasn't ended.
  public struct ActiveSubscription: Sendable, Equatable, CustomStringConvertible {
    /// The ID of a subscription, its lane, and the source location where it was made.
    public struct Site: Sendable, Equatable, CustomStringConvertible {
      public let id: Int
      public let lane: String
      /// The source location, such as `Module/File.swift:42`, or nil if it is unknown.
      public let source: String?
      public let function: String?

      public var description: String {
        var text = "#\(id) \(lane)"
        if let source, source != lane { text += "  \(source)" }
        if let function { text += "  \(function)" }
        return text
      }
    }

    public let site: Site
    private let observedPlace: ResolvablePlace?
    /// The type of the elements.
    public let type: String
    public let age: Duration
    public let elements: Int
    /// The time since the last element, or nil if there wasn't one.
    public let sinceLastElement: Duration?
    /// The text of the last element, if a leak check recorded it.
    public let lastValue: String?
    /// The downstream subscriptions for which this one was made, nearest first.
    public let parents: [Site]
    /// The name of the scope in which the subscription was made.
    public let scope: String?
    /// A Boolean value that indicates whether the subscription is meant to live until the program
    /// exits.
    public let livesUntilExit: Bool
    /// A Boolean value that indicates whether this is the life of a task.
    public let isTask: Bool
    /// The reason why the subscription is still alive. It is nil if it wasn't requested or time ran
    /// out. It is also nil for a subscription that is only alive because of another one among its
    /// `parents`, which then has the explanation.
    public let explanation: Explanation?

    public var id: Int { site.id }
    public var lane: String { site.lane }

    /// The observing call, such as a call of `observeNext`, `sink` or `bind`. It is nil for a
    /// subscription that isn't an observation, and for an observation that began before it could be
    /// traced.
    ///
    /// The location is looked up in the debug information when this property is first read. The
    /// lookup takes a few milliseconds for all subscriptions together, and at most one second.
    public var observed: Call? { observedPlace?.call }

    /// Multiline text: the location, the observing call, the activity so far, the parents, and the
    /// explanation if there is one.
    public var description: String {
      var lines = [site.description]
      if let observed { lines.append("    observed at \(observed)") }
      var story = "alive for \(Self.text(age))"
      if let scope { story += " · made in scope \(scope)" }
      story += elements == 1 ? " · 1 element" : " · \(elements) elements"
      if let sinceLastElement {
        story += " · last: next \(Self.text(sinceLastElement)) ago"
        if let lastValue { story += ": \(lastValue)" }
      } else {
        story += " · last: subscribe"
      }
      lines.append("    " + story)
      for parent in parents { lines.append("    made for \(parent)") }
      if let explanation {
        lines += explanation.description.split(separator: "\n").map { "    " + $0 }
      }
      return lines.joined(separator: "\n")
    }

    static func text(_ duration: Duration) -> String {
      let (seconds, attoseconds) = duration.components
      return ElapsedTime.text(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }

    init(_ subscription: TracedSubscription, _ retention: Retention? = nil) {
      explanation = retention.map { Explanation($0) }
      let now = subscription.recorder.clock.now
      let progress = subscription.progress
      site = Site(subscription)
      observedPlace = subscription.observed.map {
        ResolvablePlace(recorder: subscription.recorder, place: $0)
      }
      type = subscription.site.type
      age = .nanoseconds(now - subscription.start)
      elements = progress.elements
      sinceLastElement = progress.elements > 0 ? .nanoseconds(now - progress.lastTime) : nil
      lastValue = progress.lastText
      scope = subscription.scope?.name
      livesUntilExit = subscription.livesUntilExit
      isTask = subscription.site.operator == .task
      var parents: [Site] = []
      var parent = subscription.parent
      while let known = parent, parents.count < 16 {
        parents.append(Site(known))
        parent = known.parent
      }
      self.parents = parents
    }
  }

  /// The traced subscriptions that haven't ended, in the order in which they began.
  ///
  /// These are the subscriptions of the log, or those that a leak check tracks. Reading this
  /// property takes a few microseconds per subscription. Locations without a name are looked up in
  /// the debug information. The lookup takes a few milliseconds the first time, and at most one
  /// second.
  public static var activeSubscriptions: [ActiveSubscription] {
    // A signal handler that interrupted the recorder would deadlock with its own thread.
    guard !Inside.isInside else { return [] }
    return (Recorder.current?.liveSubscriptions.all ?? []).filter { !$0.hasEnded }.map {
      ActiveSubscription($0)
    }
  }

  /// Returns the subscriptions that are alive now.
  public static func snapshot() -> Snapshot { Snapshot(subscriptions: activeSubscriptions) }

  /// Returns the subscriptions that are alive now, with explanations.
  ///
  /// See `explain(subscription:limit:)` for the cost of a search. One search explains all
  /// subscriptions. Subscriptions that are only alive because of another one, and those that are
  /// meant to live until the program exits, don't have an explanation.
  ///
  /// - Parameters:
  ///   - explaining: Whether the subscriptions have explanations.
  ///   - limit: The time limit for the search.
  public static func snapshot(explaining: Bool, limit: Duration = .seconds(2)) -> Snapshot {
    guard explaining, LeakExplanations.mayBegin else { return snapshot() }
    let live = (Recorder.current?.liveSubscriptions.all ?? []).filter { !$0.hasEnded }
    let roots = LeakVerdict(live).roots().map(\.root)
    let explanations = LeakExplanations.record(roots, limit: limit.inNanoseconds)
    return Snapshot(
      subscriptions: live.map { ActiveSubscription($0, explanations[ObjectIdentifier($0)]) })
  }

  /// The subscriptions that were alive at one moment.
  public struct Snapshot: Sendable, Equatable {
    public let subscriptions: [ActiveSubscription]
    /// The live instances by class, those with the most bytes first. It is nil if they weren't
    /// counted, or if the memory of this process can't be searched.
    public internal(set) var instances: [ClassInstances]? = nil

    init(subscriptions: [ActiveSubscription]) { self.subscriptions = subscriptions }

    /// The number of live subscriptions in each lane.
    public var lanes: [String: Int] {
      Dictionary(grouping: subscriptions) { $0.lane }.mapValues { $0.count }
    }

    /// Returns the subscriptions that are alive in this snapshot but not in an earlier snapshot of
    /// the same log.
    public func subscriptions(since earlier: Snapshot) -> [ActiveSubscription] {
      let known = Set(earlier.subscriptions.map(\.id))
      return subscriptions.filter { !known.contains($0.id) }
    }
  }
}

extension Trace.ActiveSubscription.Site {
  /// Creates a site, and looks up its source location if it doesn't have a name. The lookup takes a
  /// few milliseconds the first time, and at most one second.
  init(_ subscription: TracedSubscription) {
    let site = subscription.site
    let found =
      site.place.flatMap { subscription.recorder.locations.codeLocation(of: $0) }
    self.init(
      id: subscription.id, lane: found?.laneName ?? site.lane,
      source: found?.folderSource ?? site.source,
      function: found?.function ?? site.function)
  }
}
