import TraceFormat

extension Trace {
  /// A description of a traced subscription that has not ended, as known at one moment.
  public struct ActiveSubscription: Sendable, Equatable, CustomStringConvertible {
    /// The id of a subscription, its lane, and the source location where it was made.
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
    /// The type of the elements.
    public let type: String
    public let age: Duration
    public let elements: Int
    /// The time since the last element, or nil if there was none.
    public let sinceLastElement: Duration?
    /// The text of the last element, if a leak check recorded it.
    public let lastValue: String?
    /// The downstream subscriptions that this one was made for, nearest first.
    public let parents: [Site]
    /// The name of the scope in which the subscription was made.
    public let scope: String?
    /// A Boolean value that indicates whether the subscription is meant to live until the program
    /// exits.
    public let livesUntilExit: Bool

    public var id: Int { site.id }
    public var lane: String { site.lane }

    @available(*, deprecated, renamed: "site")
    public var place: Site { site }

    @available(*, deprecated, renamed: "Site")
    public typealias Place = Site

    /// A text of several lines: the location, the activity so far, and the parents.
    public var description: String {
      var lines = [site.description]
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
      return lines.joined(separator: "\n")
    }

    static func text(_ duration: Duration) -> String {
      let (seconds, attoseconds) = duration.components
      return ElapsedTime.text(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }

    init(_ subscription: TracedSubscription) {
      let now = subscription.recorder.clock.now
      let progress = subscription.progress
      site = Site(subscription)
      type = subscription.type
      age = .nanoseconds(now - subscription.start)
      elements = progress.elements
      sinceLastElement = progress.elements > 0 ? .nanoseconds(now - progress.lastTime) : nil
      lastValue = progress.lastText
      scope = subscription.scope?.name
      livesUntilExit = subscription.livesUntilExit
      var parents: [Site] = []
      var parent = subscription.parent
      while let known = parent, parents.count < 16 {
        parents.append(Site(known))
        parent = known.parent
      }
      self.parents = parents
    }
  }

  /// The traced subscriptions that have not ended, in the order in which they began.
  ///
  /// These are the subscriptions of the log, or those that a leak check tracks. Reading this
  /// property takes some microseconds per subscription. Locations without a name are looked up in
  /// the debug information. The lookup takes some milliseconds the first time, and one second at
  /// most.
  public static var activeSubscriptions: [ActiveSubscription] {
    // A signal handler that interrupted the recorder would deadlock with its own thread.
    guard !Inside.isInside else { return [] }
    return (Recorder.current?.liveSubscriptions.all ?? []).filter { !$0.hasEnded }.map {
      ActiveSubscription($0)
    }
  }

  /// Returns the subscriptions that are alive now.
  public static func snapshot() -> Snapshot { Snapshot(subscriptions: activeSubscriptions) }

  /// The subscriptions that were alive at one moment.
  public struct Snapshot: Sendable, Equatable {
    public let subscriptions: [ActiveSubscription]

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

    @available(*, deprecated, renamed: "subscriptions(since:)")
    public func since(_ earlier: Snapshot) -> [ActiveSubscription] {
      subscriptions(since: earlier)
    }
  }
}

extension Trace.ActiveSubscription.Site {
  /// Creates a site, and looks up its source location if nobody named it. The lookup takes some
  /// milliseconds the first time, and one second at most.
  init(_ subscription: TracedSubscription) {
    let site = subscription.site
    let found =
      site.operator == .observe ? subscription.recorder.locations.codeLocation(of: site.lane) : nil
    self.init(
      id: subscription.id, lane: found?.name ?? site.lane, source: found?.source ?? site.source,
      function: found?.function ?? site.function)
  }
}
