import TerminalUI
import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

extension ComparisonViewer {
  /// Adapts to a size of the terminal.
  mutating func resize(columns: Int, rows: Int) {
    terminal.resize(columns: columns, rows: rows)
    adapt()
  }

  /// Handles a key or pasted text, and returns the effects to perform.
  mutating func update(_ input: TerminalInput) -> [Effect] {
    defer { adapt() }
    switch input {
    case .key(let press): return take(press)
    case .paste(let text):
      if prompt != nil {
        prompt?.insert(text)
        return searchWhileTyping()
      } else {
        say("paste works only after /")
      }
      return []
    case .mouse: return []
    }
  }

  /// Keeps the selected row and the shown part of the detail within their bounds.
  private mutating func adapt() {
    list.select(list.row, count: count)
    updateDetail()
    let layout = layout
    list.scroll(count: count, height: layout.rows)
    firstDetail = max(0, min(firstDetail, detail.count - layout.detail.count))
  }

  private mutating func take(_ press: KeyPress) -> [Effect] {
    notice = nil
    if press == .control("c") { return [.quit(.interrupted)] }
    if press == .control("z") { return [.suspend] }
    if press == .control("l") { return [.redraw] }
    let command = ComparisonKeys.command(of: press)
    if help.isShown {
      help.take(command, count: ComparisonScreen.help(help, terminal).count, rows: terminal.rows)
      return []
    }
    if prompt != nil { return type(press) }
    guard let command else {
      let name = KeyName.of(press, isASCII: page.glyphs.isASCII)
      say("\(page.safe(name)) does nothing here; ? lists the keys")
      return []
    }
    return perform(command)
  }

  private mutating func perform(_ command: ViewerCommand) -> [Effect] {
    switch command {
    case .up, .down, .pageUp, .pageDown, .first, .last: move(command)
    case .left: moveCursor(by: -1)
    case .right: moveCursor(by: 1)
    case .farLeft: moveCursor(by: -10)
    case .farRight: moveCursor(by: 10)
    case .zoomIn: window.zoom(by: 0.5, at: cursor, cells: layout.cells, within: all)
    case .zoomOut: window.zoom(by: 2, at: cursor, cells: layout.cells, within: all)
    case .panLeft: pan(by: -0.25)
    case .panRight: pan(by: 0.25)
    case .fit: window = all
    case .nextFinding: goToFinding(.forward)
    case .previousFinding: goToFinding(.backward)
    case .search:
      searchStart = list.row
      prompt = Prompt(.search)
    case .nextHit: stepToHit(.forward)
    case .previousHit: stepToHit(.backward)
    case .toggleFilter: toggleFilter()
    case .open, .nextPane:
      guard selected != nil else { break }
      focus = focus == .timeline ? .pane : .timeline
      firstDetail = 0
    case .otherLog: return openSide()
    case .copy: return copy()
    case .redraw: return [.redraw]
    case .help: help.show()
    case .back: goBack()
    case .quit:
      // If the detail covers the list, the user wants to leave the detail.
      guard focus == .pane, layout.list.isEmpty else { return [.quit(.clean)] }
      focus = .timeline
    case .interrupt: return [.quit(.interrupted)]
    case .suspend: return [.suspend]
    default: break
    }
    return []
  }

  // MARK: Moving

  private mutating func move(_ command: ViewerCommand) {
    let layout = layout
    let isDetail = focus == .pane
    let page = max(1, (isDetail ? layout.detail.count : layout.rows) - 1)
    let movement: PaneMovement? =
      switch command {
      case .up: .by(-1)
      case .down: .by(1)
      case .pageUp: .by(-page)
      case .pageDown: .by(page)
      case .first: .first
      case .last: .last
      default: nil
      }
    guard let movement else { return }
    if isDetail {
      let last = max(0, detail.count - layout.detail.count)
      firstDetail = max(0, min(movement.target(from: firstDetail, count: last + 1), last))
    } else {
      select(movement.target(from: list.row, count: count))
    }
  }

  private mutating func select(_ row: Int) {
    let before = list.row
    list.go(to: row, count: count, height: layout.rows)
    if list.row != before { firstDetail = 0 }
  }

  private mutating func moveCursor(by columns: Int) {
    cursor = window.time(cursor, movedBy: columns, cells: layout.cells, last: logs.duration)
    window.reveal(cursor)
    if window.duration >= all.duration { window = all }
  }

  private mutating func pan(by share: Double) {
    guard window != all else { return say("everything is in view; w zooms in") }
    window.pan(by: share, within: logs.duration)
    cursor = window.nearest(to: cursor, last: logs.duration)
  }

  private mutating func goToFinding(_ direction: SearchState.Direction) {
    let rows = logs.rows[..<count].indices.filter { row in
      logs.rows[row].compared.findings.contains { $0.kind != .same }
    }
    guard !go(direction, among: rows) else { return }
    say(rows.isEmpty ? "no finding differs" : "no other lane with a finding that differs")
  }

  /// Selects the next row of some rows, or the first one after the last. Returns false if there
  /// is no other row.
  private mutating func go(_ direction: SearchState.Direction, among rows: [Int]) -> Bool {
    let next =
      switch direction {
      case .forward: rows.first { $0 > list.row } ?? rows.first
      case .backward: rows.last { $0 < list.row } ?? rows.last
      }
    guard let next, next != list.row else { return false }
    select(next)
    return true
  }

  private mutating func toggleFilter() {
    guard hidesSame || logs.differing > 0 else { return say("nothing differs") }
    hidesSame.toggle()
    say(hidesSame ? "only differences" : "everything")
  }

  // MARK: Searching

  private mutating func type(_ press: KeyPress) -> [Effect] {
    switch (press.key, press.modifiers) {
    case (.escape, _): return cancelSearch()
    case (.backspace, _) where prompt?.text.isEmpty == true: return cancelSearch()
    case (.function(1), _): help.show(isAboutQueries: true)
    case (.enter, _): acceptSearch()
    case (.tab, _): return complete(backward: press.modifiers == .shift)
    case (.up, []), (.character("p"), .control): return recall(older: true)
    case (.down, []), (.character("n"), .control): return recall(older: false)
    default:
      let before = prompt?.text
      if prompt?.edit(press) == true, prompt?.text != before { return searchWhileTyping() }
    }
    return []
  }

  private mutating func cancelSearch() -> [Effect] {
    prompt = nil
    search = nil
    select(searchStart)
    return [.stopSearch]
  }

  private mutating func acceptSearch() {
    guard let text = prompt?.text else { return }
    do throws(QueryError) {
      if try Query(text).isEmpty { search = nil }
    } catch {
      prompt?.problem = error.sentence
      return
    }
    history.add(text, .search)
    prompt = nil
    sayIfNothingFound()
  }

  private mutating func complete(backward: Bool) -> [Effect] {
    let completions = Completions(logs.sources)
    guard prompt?.complete(backward: backward, { completions.of($0, .search) }) == true else {
      prompt?.problem = "nothing to complete"
      return []
    }
    return searchWhileTyping()
  }

  private mutating func recall(older: Bool) -> [Effect] {
    prompt?.recall(older: older, history[.search])
    return searchWhileTyping()
  }

  /// Searches for the query in the prompt while it is typed.
  private mutating func searchWhileTyping() -> [Effect] {
    guard let text = prompt?.text, let query = try? Query(text), !query.isEmpty else {
      search = nil
      select(searchStart)
      return [.stopSearch]
    }
    search = Search(query: query)
    return [.search(query)]
  }

  /// Takes the result of a search, and goes to the first hit from where the search began.
  mutating func take(_ rows: [Int]?, of query: Query) {
    guard search?.query == query else { return }
    search?.hits = rows ?? []
    search?.hasFailed = rows == nil
    select(hits.first { $0 >= searchStart } ?? hits.first ?? searchStart)
    if prompt == nil { sayIfNothingFound() }
    adapt()
  }

  private mutating func sayIfNothingFound() {
    guard let search, search.hits != nil, hits.isEmpty else { return }
    let hint = search.query.distinguishesCase ? "; without capitals, case is ignored" : ""
    let isHidden = search.hits?.isEmpty == false
    say(
      search.hasFailed
        ? "the file has changed" : isHidden ? "hits only in hidden lanes" : "no hits\(hint)")
  }

  private mutating func stepToHit(_ direction: SearchState.Direction) {
    guard let search else { return say("no search; / starts one") }
    guard search.hits != nil else { return say("searching") }
    guard !go(direction, among: hits) else { return }
    say(hits.isEmpty ? "no hits" : "no other hit")
  }

  // MARK: Other commands

  /// Opens the selected lane in the full view of the new log, or of the old one if only that has
  /// the lane.
  private mutating func openSide() -> [Effect] {
    guard let selected else { return refuse("no lane selected") }
    let compared = selected.compared
    let isOld =
      compared.lane.map { $0.after == nil } ?? compared.findings.allSatisfy { $0.new == 0 }
    let place = ComparedPlace(
      lane: selected.name, source: selected.place, time: cursor,
      range: window == all ? nil : window)
    return [.openSide(isOld ? .old : .new, place)]
  }

  /// Moves to the time at which the full view of a log was left.
  mutating func point(to time: Nanoseconds) {
    cursor = min(time, logs.duration)
    window.reveal(cursor)
    if window.duration >= all.duration { window = all }
  }

  private mutating func copy() -> [Effect] {
    guard let selected else { return refuse("nothing to copy") }
    let detail = ComparisonDetail(selected, logs.diff, page.unbounded)
    say("copied")
    return [.copy(([page.safe(selected.name)] + detail.lines.map(\.text)).joined(separator: "\n"))]
  }

  /// Goes one step back. After the last step, only a message appears.
  private mutating func goBack() {
    if search != nil {
      search = nil
    } else if focus == .pane {
      focus = .timeline
      firstDetail = 0
    } else if hidesSame {
      hidesSame = false
    } else if window != all {
      window = all
    } else {
      say("nothing to go back from; q quits")
    }
  }
}
