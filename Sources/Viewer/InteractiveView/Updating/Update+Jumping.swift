import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

// Moving from one event to another.
extension Viewer {
  func find(_ purpose: EventSearchRequest.Purpose, forward: Bool, in scope: EventScope) -> Effect {
    // If no event is selected, an event at exactly the time of the cursor is the next one.
    let start = timeline.event?.position ?? LogEvent.Position(before: timeline.cursor)
    return .find(
      EventSearchRequest(scope: scope, position: start, forward: forward, purpose: purpose))
  }

  /// Goes to the event that was found.
  mutating func arrive(_ request: EventSearchRequest, _ event: LogEvent?) {
    guard let event else {
      return say((request.forward ? "no later event" : "no earlier event") + filterHint)
    }
    timeline.go(to: event, staysInRow: request.purpose == .point)
    if request.purpose == .step {
      say(EventText(log: log, page: page).line(event))
    }
  }

  /// Goes to the subscription that the chosen one was made for.
  mutating func goToParent() {
    goToOrigin { log, lifecycle in
      log.parent(of: lifecycle)
    } text: { name, parent in
      parent.map { "\(name) was made for \($0)" } ?? "\(name) was not made for another subscription"
    }
  }

  /// Goes to the subscription whose event made the chosen one.
  mutating func goToCause() {
    goToOrigin { log, lifecycle in
      lifecycle.cause.flatMap { log.index(of: $0, log: Int(lifecycle.log)) }
    } text: { name, cause in
      cause.map { "\(name) was made by an event of \($0)" } ?? "\(name) was not made by an event"
    }
  }

  private mutating func goToOrigin(
    _ find: (LogAnalysis, Lifecycle) -> Int?, text: (_ name: String, _ origin: String?) -> String
  ) {
    guard let chosen = timeline.chosen, let lifecycle = timeline.chosenLifecycle else {
      return say("no subscription selected")
    }
    let name = log.name(of: lifecycle)
    guard let origin = find(log, lifecycle), origin != chosen else {
      return say(page.safe(text(name, nil)))
    }
    go(to: origin, at: lifecycle.start)
    guard outline.item(of: origin) != nil else { return }
    say(page.safe(text(name, log.name(of: log.lifecycles[origin]))))
  }

  /// Goes to a failure, and selects its event, so that the status has the error.
  mutating func goToFailure(forward: Bool) -> [Effect] {
    let found = viewed.failure(forward, from: timeline.cursor, chosen: timeline.chosen)
    guard let found else {
      return refuse((forward ? "no later failure" : "no earlier failure") + filterHint)
    }
    go(to: found.index, at: found.time)
    let location = log.lifecycles[found.index].last.location
    let position = LogEvent.Position(
      time: found.time, file: location.file, offset: location.offset)
    return [
      .find(
        EventSearchRequest(
          scope: .subscription(found.index), position: position.justBefore, forward: true,
          purpose: .point))
    ]
  }

  /// Moves the cursor to the moment with the most events in the shown part, and to the lane with
  /// the most of them.
  mutating func goToBusiest() {
    guard let busiest = viewed.overview.busiest else { return say("no events" + filterHint) }
    replay?.pause()
    if let lane = busiest.lane { go(to: lane.subscription, at: busiest.start) }
    let length = page.duration(Nanoseconds(busiest.duration))
    let start = AxisText(self).name(of: busiest.start, step: max(1, busiest.duration / 10))
    let lane = busiest.lane.map {
      ", \(CountText.number($0.events)) of them in \(page.safe($0.name))"
    }
    say(
      "the busiest \(length): \(CountText.make(busiest.events, "event")) from \(start)"
        + (lane ?? ""))
  }

  /// Goes to the shown subscription that lives longest.
  mutating func goToLongest() {
    guard let index = viewed.overview.longest else { return say("no subscriptions" + filterHint) }
    let lifecycle = log.lifecycles[index]
    go(to: index)
    let life = page.duration(log.age(of: lifecycle))
    let end = lifecycle.life == nil ? ", and is active at the end" : ""
    say("\(page.safe(log.title(of: lifecycle))) lives longest: \(life)\(end)")
  }

  mutating func goToFinding(_ direction: SearchState.Direction) {
    // Keys act on the pane with the focus, and the user now means the finding.
    if focus == .pane, !panes.current.showsChoice, !viewed.groups.isEmpty { show(.findings) }
    var pane = panes[FindingsPane.self]
    pane.go(direction, in: &self)
    panes.replace(pane)
  }

  /// Shows the finding with an id in the list of findings, and its subscription in the timeline.
  mutating func go(to id: FindingID) {
    guard let index = viewed.groups.firstIndex(where: { $0.id == id }) else {
      return say("\(id) is hidden by the filter")
    }
    show(.findings)
    var pane = panes[FindingsPane.self]
    pane.go(to: index, in: &self)
    panes.replace(pane)
  }
}
