import TraceAnalysis
import TraceFormat

/// A reader for the events that a viewer requests: a few events anywhere in the log, in a short
/// time.
struct EventLookup {
  private let viewer: Viewer
  private let reader: EventReader

  init(_ viewer: Viewer) {
    self.viewer = viewer
    reader = EventReader(viewer.snapshot)
  }

  /// Returns the events for a request. Unreadable events are left out.
  func page(_ request: EventRequest) -> EventPage {
    let before = events(request.scope, request.position.justAfter, forward: false, request.before)
    let after = events(request.scope, request.position, forward: true, request.after)
    var page = EventPage(request: request, events: before + after)
    page.current = before.isEmpty ? nil : before.count - 1
    if request.wantsFields, let current = page.current ?? (after.isEmpty ? nil : 0) {
      page.fields = reader.fields(at: page.events[current].location)
    }
    return page
  }

  /// Returns the next or the previous event for a search request.
  func find(_ request: EventSearchRequest) -> LogEvent? {
    let found = events(request.scope, request.position, forward: request.forward, 1)
    return request.forward ? found.first : found.last
  }

  /// Returns the texts of hits.
  func texts(_ request: HitRequest) -> HitPage {
    let texts = request.locations.map { location -> String? in
      guard (1...HitRequest.maxLength).contains(location.length) else { return nil }
      let keys = [LogFormat.Key.value, .error, .name].map(\.rawValue)
      return reader.fields(at: location).first { keys.contains($0.key) }?.value
    }
    return HitPage(request: request, texts: texts)
  }

  private func events(
    _ scope: EventScope, _ position: LogEvent.Position, forward: Bool, _ maxCount: Int
  ) -> [LogEvent] {
    let members = members(of: scope)
    let isWanted = isWanted(scope, members)
    // Events without a subscription appear only in the view of all events.
    let includesOthers = scope == .shown
    do throws(LogError) {
      return forward
        ? try reader.events(
          after: position, maxCount: maxCount, members: members, where: isWanted,
          includesOthers: includesOthers)
        : try reader.events(
          before: position, maxCount: maxCount, members: members, where: isWanted,
          includesOthers: includesOthers)
    } catch {
      return []
    }
  }

  private func members(of scope: EventScope) -> MemberList? {
    switch scope {
    case .subscription(let index): [index]
    case .row(let item): viewer.timeline.members(of: item)
    case .lane(let lane):
      viewer.outline.lanes.indices.contains(lane) ? viewer.outline.lanes[lane].members : []
    case .shown: viewer.viewed.excerpt.hasAllSubscriptions ? nil : viewer.viewed.excerpt.members
    }
  }

  private func isWanted(_ scope: EventScope, _ members: MemberList?) -> (Int) -> Bool {
    switch scope {
    case .subscription(let index): return { $0 == index }
    case .row(let item):
      // Members of whole lanes can be found by their lane index. Rows need a search, because there
      // may be many of them.
      let outline = viewer.outline
      let isFolded = viewer.timeline.list.folded.contains(outline.lanes[item.lane].key)
      let isGroup = outline.lanes[item.lane].members.isEmpty
      return { index in
        guard let location = outline.item(of: index) else { return false }
        if isGroup { return outline.lanes[location.lane].parent == item.lane }
        guard location.lane == item.lane else { return false }
        return isFolded || location.row == item.row
      }
    case .lane(let lane):
      let outline = viewer.outline
      return { outline.item(of: $0)?.lane == lane }
    case .shown:
      let excerpt = viewer.viewed.excerpt
      return { excerpt.contains($0) }
    }
  }
}
