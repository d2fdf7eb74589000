import TerminalUI
import TraceAnalysis
import TraceFormat

/// Reads the events that a viewer asks for: a few from anywhere in the log, in a moment.
struct EventLookup {
  private let viewer: Viewer
  private let reader: EventReader

  init(_ viewer: Viewer) {
    self.viewer = viewer
    reader = EventReader(viewer.snapshot)
  }

  /// Answers a request; what cannot be read is not there.
  func page(_ request: EventRequest) -> EventPage {
    let before = events(request.scope, request.position.justBehind, forward: false, request.before)
    let after = events(request.scope, request.position, forward: true, request.after)
    var page = EventPage(request: request, events: before + after)
    page.current = before.isEmpty ? nil : before.count - 1
    if request.wantsFields, let current = page.current ?? (after.isEmpty ? nil : 0) {
      page.fields = reader.fields(at: page.events[current].place)
    }
    return page
  }

  /// The next event of a quest, or the one before.
  func find(_ quest: EventSearchRequest) -> LogEvent? {
    let found = events(quest.scope, quest.position, forward: quest.forward, 1)
    return quest.forward ? found.first : found.last
  }

  private func events(
    _ scope: EventScope, _ position: LogEvent.Position, forward: Bool, _ most: Int
  ) -> [LogEvent] {
    let members = members(of: scope)
    let isWanted = isWanted(scope, members)
    // What belongs to no subscription is shown where all is.
    let includesOthers = scope == .shown
    do throws(LogError) {
      return forward
        ? try reader.events(
          after: position, most: most, members: members, where: isWanted,
          includesOthers: includesOthers)
        : try reader.events(
          before: position, most: most, members: members, where: isWanted,
          includesOthers: includesOthers)
    } catch {
      return []
    }
  }

  private func members(of scope: EventScope) -> [Int]? {
    switch scope {
    case .subscription(let index): [index]
    case .row(let item): viewer.members(of: item)
    case .shown: viewer.viewed.excerpt.hasAllSubscriptions ? nil : viewer.viewed.excerpt.members
    }
  }

  private func isWanted(_ scope: EventScope, _ members: [Int]?) -> (Int) -> Bool {
    switch scope {
    case .subscription(let index): return { $0 == index }
    case .row(let item):
      // Whole lanes can be told by their places; rows by a search, for there may be many.
      let outline = viewer.outline
      let isFolded = viewer.folded.contains(outline.lanes[item.lane].key)
      let isGroup = outline.lanes[item.lane].members.isEmpty
      return { index in
        guard let place = outline.place(of: index) else { return false }
        if isGroup { return outline.lanes[place.lane].parent == item.lane }
        guard place.lane == item.lane else { return false }
        return isFolded || place.row == item.row
      }
    case .shown:
      let excerpt = viewer.viewed.excerpt
      return { excerpt.contains($0) }
    }
  }
}
