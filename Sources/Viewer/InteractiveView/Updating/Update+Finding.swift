import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

// Searching.
extension Viewer {
  mutating func search(for query: Query) -> [Effect] {
    guard !query.isEmpty else {
      search.end()
      return [.stopSearch]
    }
    // The search runs since the text was typed.
    guard search.result?.query == query else {
      search.start(query)
      return [.search(query)]
    }
    return stepToHit(.forward)
  }

  /// Searches for the query in the prompt while it is typed, or counts what it selects.
  mutating func searchWhileTyping() -> [Effect] {
    guard let prompt else { return [] }
    switch prompt.purpose {
    case .search:
      let query = (try? Query(prompt.text)).flatMap { $0.isEmpty ? nil : $0 }
      panes.peek(query == nil ? nil : .hits)
      search.preview(query)
      return [query.map { .search($0) } ?? .stopSearch]
    case .filter:
      typedFilter = nil
      guard var filter = try? ViewFilter(prompt.text), !filter.query.isEmpty else { return [] }
      filter.leaksOnly = feed.arrangement.filter.leaksOnly
      typedFilter = (filter, nil)
      return [.count(filter)]
    default: return []
    }
  }

  /// Takes the results of a search. Goes to the first hit after the cursor when the search is
  /// complete.
  mutating func take(_ result: SearchResult) -> [Effect] {
    search.take(result, outline).map { goToHit($0) } ?? []
  }

  mutating func stepToHit(_ direction: SearchState.Direction) -> [Effect] {
    guard let query = search.result?.query else { return refuse("no search yet; / starts one") }
    let need = search.prepareStep(
      direction, from: searchStart(direction), revision: snapshot.revision)
    switch need {
    case .nothing: return goToHit(direction)
    case .newSearch: return [.search(query)]
    case .completion: return []
    }
  }

  private mutating func goToHit(_ direction: SearchState.Direction) -> [Effect] {
    guard let result = search.result else { return [] }
    let text = page.safe(result.query.text)
    guard let (hit, index, wraps) = result.hit(direction, from: searchStart(direction)) else {
      let hint = result.query.distinguishesCase ? "; without capitals, case is ignored" : ""
      notice = Notice(text: "'\(text)' not found\(filterHint)\(hint)", isError: true)
      return []
    }
    let count = CountText.number(result.hits.count)
    if wraps, result.isCut, direction == .forward {
      notice = Notice(
        text: "'\(text)' has too many hits; these are the first \(count)", isError: true)
      return []
    }
    go(to: Int(hit.lifecycle), at: hit.position.time)
    let more = result.isCut ? " of more than" : " of"
    let last = result.isCut ? ", the last one listed" : ", from the end"
    let wrap = wraps ? (direction == .forward ? ", from the beginning" : last) : ""
    say("hit \(CountText.number(index + 1))\(more) \(count)\(wrap)")
    // The effect finds the event of the hit itself.
    return [
      .find(
        EventSearchRequest(
          scope: .subscription(Int(hit.lifecycle)), position: hit.position.justBefore,
          forward: true, purpose: .point))
    ]
  }

  /// Turns the filter off, or turns it on again. The selection returns with the lines.
  mutating func toggleFilter() -> [Effect] {
    let filter = feed.arrangement.filter
    if var suspended = feed.suspended {
      suspended.leaksOnly = suspended.leaksOnly || filter.leaksOnly
      feed.suspended = nil
      say("filter on")
      return arrange { $0.filter = suspended }
    }
    guard !filter.isEmpty else { return refuse("no filter; & sets one") }
    feed.suspended = filter
    say("filter off; t turns it on again")
    return arrange { $0.filter = ViewFilter() }
  }
}
