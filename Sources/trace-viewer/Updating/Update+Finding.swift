import TerminalUI
import TraceAnalysis
import TraceFormat

// Searching and filtering.
extension Viewer {
  mutating func type(_ press: KeyPress) -> [Effect] {
    switch press.key {
    case .escape:
      prompt = nil
      return []
    case .enter: return enter()
    case .backspace where prompt?.text.isEmpty == true:
      prompt = nil
      return []
    default:
      _ = prompt?.edit(press)
      return []
    }
  }

  private mutating func enter() -> [Effect] {
    guard let prompt else { return [] }
    switch prompt.purpose {
    case .search:
      self.prompt = nil
      return search(prompt.text)
    case .filter:
      do throws(ViewFilter.Problem) {
        var filter = try ViewFilter(prompt.text)
        filter.leaksOnly = arrangement.filter.leaksOnly
        self.prompt = nil
        return arrange { $0.filter = filter }
      } catch {
        self.prompt?.problem = error.sentence
        return []
      }
    case .export:
      guard ExportName(prompt.text) != nil else {
        self.prompt?.problem = ExportName.problem
        return []
      }
      self.prompt = nil
      exports += 1
      notice = Notice(text: "exporting to \(prompt.text)")
      return [
        .export(
          path: prompt.text, members: exported, overwrites: prompt.existing == prompt.text)
      ]
    }
  }

  private mutating func search(_ text: String) -> [Effect] {
    guard !text.isEmpty else {
      search = nil
      return [.stopSearch]
    }
    search = SearchState(text: SearchText(text))
    wantsFirstHit = true
    return [.search(SearchText(text))]
  }

  /// Takes the results of a search. Goes to the first hit after the cursor when the search is
  /// complete.
  mutating func take(_ state: SearchState) -> [Effect] {
    guard let search, search.text == state.text else { return [] }
    self.search = state
    guard state.isComplete, wantsFirstHit else { return [] }
    wantsFirstHit = false
    defer { searchesForward = true }
    return goToHit(forward: searchesForward)
  }

  mutating func nextHit(forward: Bool) -> [Effect] {
    guard let search else {
      notice = Notice(text: "nothing was searched for; / searches")
      return []
    }
    let wraps = search.hit(from: searchStart(forward), forward: forward)?.wraps ?? true
    // In a growing log, earlier hits stay valid, but the records after them need a new search.
    let isStale = search.revision < 0 || (wraps && search.revision != snapshot.revision)
    guard search.isComplete, !isStale else {
      wantsFirstHit = true
      searchesForward = forward
      return search.isComplete ? [.search(search.text)] : []
    }
    return goToHit(forward: forward)
  }

  /// Returns the start of a search. If no event is selected, an event at exactly the time of the
  /// cursor counts as ahead in both directions.
  private func searchStart(_ forward: Bool) -> LogEvent.Position {
    event?.position
      ?? (forward ? LogEvent.Position(before: cursor) : LogEvent.Position(after: cursor))
  }

  private mutating func goToHit(forward: Bool) -> [Effect] {
    guard let search else { return [] }
    let text = page.safe(search.text.text)
    guard let (hit, number, wraps) = search.hit(from: searchStart(forward), forward: forward) else {
      notice = Notice(text: "'\(text)' is nowhere in what is shown", isError: true)
      return []
    }
    let count = CountText.number(search.hits.count)
    if wraps, search.isCut, forward {
      notice = Notice(
        text: "'\(text)' occurs too often: only the first \(count) hits are known", isError: true)
      return []
    }
    go(to: Int(hit.lifecycle), at: hit.position.time)
    let more = search.isCut ? " of more than" : " of"
    let last = search.isCut ? ", the last that is known" : ", from the end"
    let wrap = wraps ? (forward ? ", from the beginning" : last) : ""
    notice = Notice(text: "hit \(CountText.number(number + 1))\(more) \(count)\(wrap)")
    // The effect finds the event of the hit itself.
    return [
      .find(
        EventSearchRequest(
          scope: .subscription(Int(hit.lifecycle)), position: hit.position.justBefore,
          forward: true, purpose: .point))
    ]
  }
}
