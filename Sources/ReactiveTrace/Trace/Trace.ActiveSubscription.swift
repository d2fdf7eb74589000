import TraceFormat

extension Trace {
  /// A traced subscription that has not ended: what is known of it at a moment.
  public struct ActiveSubscription: Sendable, Equatable, CustomStringConvertible {
    /// The number of a subscription and where it was made.
    public struct Place: Sendable, Equatable, CustomStringConvertible {
      public let id: Int
      public let lane: String
      /// `Module/File.swift:42`; nil where it is not known.
      public let source: String?
      public let function: String?

      public var description: String {
        var text = "#\(id) \(lane)"
        if let source, source != lane { text += "  \(source)" }
        if let function { text += "  \(function)" }
        return text
      }
    }

    public let place: Place
    /// The type of its elements.
    public let type: String
    public let age: Duration
    public let elements: Int
    /// How long ago its last element was; nil where there was none.
    public let sinceLastElement: Duration?
    /// The text of the last element, where a leak check noted it.
    public let lastValue: String?
    /// Those downstream for which it was made, the nearest first.
    public let parents: [Place]
    /// The scope in which it was made.
    public let scope: String?
    /// Whether it is meant to live until the program exits.
    public let livesUntilExit: Bool

    public var id: Int { place.id }
    public var lane: String { place.lane }

    /// Several lines: the place, what happened, the parents.
    public var description: String {
      var lines = [place.description]
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
      place = Place(subscription)
      type = subscription.type
      age = .nanoseconds(now - subscription.start)
      elements = progress.elements
      sinceLastElement = progress.elements > 0 ? .nanoseconds(now - progress.lastTime) : nil
      lastValue = progress.lastText
      scope = subscription.scope?.name
      livesUntilExit = subscription.livesUntilExit
      var parents: [Place] = []
      var parent = subscription.parent
      while let known = parent, parents.count < 16 {
        parents.append(Place(known))
        parent = known.parent
      }
      self.parents = parents
    }
  }

  /// The traced subscriptions that have not ended, in the order in which they began: those of the log, or those that a leak
  /// check knows of. Some microseconds a subscription; places that nobody named are looked up in the debug information, which
  /// takes some milliseconds the first time and at most a second.
  public static var activeSubscriptions: [ActiveSubscription] {
    // A signal handler that has interrupted the recorder would wait for its own thread.
    guard !Inside.isInside else { return [] }
    return (Recorder.current?.liveSubscriptions.all ?? []).filter { !$0.hasEnded }.map {
      ActiveSubscription($0)
    }
  }

  /// What is alive now.
  public static func snapshot() -> Snapshot { Snapshot(subscriptions: activeSubscriptions) }

  /// The subscriptions that were alive at a moment.
  public struct Snapshot: Sendable, Equatable {
    public let subscriptions: [ActiveSubscription]

    /// How many were alive in each lane.
    public var lanes: [String: Int] {
      Dictionary(grouping: subscriptions) { $0.lane }.mapValues { $0.count }
    }

    /// Those that are alive here and were not in an earlier snapshot of the same log.
    public func since(_ earlier: Snapshot) -> [ActiveSubscription] {
      let known = Set(earlier.subscriptions.map(\.id))
      return subscriptions.filter { !known.contains($0.id) }
    }
  }
}

extension Trace.ActiveSubscription.Place {
  /// Finds out what the source calls the place, where nobody named it: some milliseconds the first time, a second at most.
  init(_ subscription: TracedSubscription) {
    let site = subscription.site
    let found =
      site.operator == .observe ? subscription.recorder.places.location(of: site.lane) : nil
    self.init(
      id: subscription.id, lane: found?.name ?? site.lane, source: found?.source ?? site.source,
      function: found?.function ?? site.function)
  }
}
