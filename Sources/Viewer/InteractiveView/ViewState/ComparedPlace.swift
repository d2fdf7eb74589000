import TraceAnalysis
import TraceFormat
import ViewerConsole

/// One of the two logs of a comparison.
package enum ComparedSide: Int, CaseIterable, Sendable {
  case old, new

  var letter: String { self == .old ? "A" : "B" }
  var other: ComparedSide { self == .old ? .new : .old }
}

/// A lane and a time in both logs of a comparison.
package struct ComparedPlace: Equatable, Sendable {
  /// The lane, or nil to stay at the selected one.
  var lane: String?
  /// The place where its subscriptions were made, if that is known.
  var source: String?
  /// The time since the start of either log.
  var time: Nanoseconds
  /// The visible time range, or nil for everything.
  var range: VisibleRange?
}

/// The part of a viewer's state that is about a comparison.
struct ComparedState: Sendable {
  let side: ComparedSide
  /// The place to go to when the log was read.
  var arrival: ComparedPlace?
}

extension Viewer {
  /// Makes this the full view of a log of a comparison.
  package mutating func showSide(_ side: ComparedSide) { compared = ComparedState(side: side) }

  /// The selected lane and time, for the view of the other log.
  var comparedPlace: ComparedPlace {
    let site = timeline.chosenLifecycle?.site
    return ComparedPlace(
      lane: site?.lane, source: site?.source, time: timeline.cursor,
      range: timeline.fitsAll ? nil : timeline.window)
  }

  /// Goes to a place of a comparison, as soon as the log was read.
  mutating func arrive(at place: ComparedPlace) {
    compared?.arrival = place
    arrive()
  }

  /// Goes to the awaited place of a comparison if the log was read.
  mutating func arrive() {
    guard feed.reading.isComplete, let compared, let place = compared.arrival else { return }
    self.compared?.arrival = nil
    timeline.show(place.range ?? .all(of: log))
    let (letter, other) = (compared.side.letter, compared.side.other.letter)
    guard let index = index(of: place) else {
      timeline.point(to: place.time)
      let name = place.lane.map { "lane \(page.safe($0))" } ?? "subscriptions"
      return say("\(letter) has no \(name); V shows \(other)")
    }
    go(to: index, at: place.time == .zero ? nil : place.time)
    if place.time > .zero { timeline.point(to: place.time) }
    timeline.listLane()
    panes.show(.events)
    say("this is \(letter); V shows the lane in \(other), and q goes back to the comparison")
  }

  /// Returns the first subscription of a lane, with the same source if there is one.
  private func index(of place: ComparedPlace) -> Int? {
    let names = viewed.names
    let placed = names.places.first { name in
      name.text == place.source && log.lifecycles[name.first].site.lane == place.lane
    }
    return (placed ?? names.lanes.first { $0.text == place.lane })?.first
  }
}
