import TraceFormat

/// A wait of a task, as its beginning describes it.
struct StartedWait: Sendable {
  /// The time at which it began, in the log's own time.
  let time: Nanoseconds
  /// What the task waits for; nil if it isn't known.
  let wait: UnfinishedTask.Wait?
  /// The tasks that it waits for.
  let awaited: [SubscriptionID]
  /// The place of the `await`.
  var place: KnownSite?

  /// Returns the wait with its place instead of a name that a record of the log explains.
  func explained(
    by explain: (String) -> PlaceName?
  ) -> StartedWait {
    guard let site = place?.site, site.source == nil, site.function == nil else { return self }
    var wait = self
    if let name = explain(site.lane) {
      wait.place = KnownSite(lane: site.lane, source: name.source, function: name.function)
    } else if SourceText(site.lane).line != nil {
      wait.place = KnownSite(lane: site.lane, source: site.lane)
    } else {
      wait.place = nil
    }
    return wait
  }
}

extension LogFormat.Event {
  /// A Boolean value that indicates whether the event is the beginning or the end of a wait.
  var isWait: Bool {
    switch self {
    case .suspended, .resumed: true
    default: false
    }
  }
}
