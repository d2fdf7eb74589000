import TerminalUI
import TraceAnalysis
import TraceFormat
package import ViewerConsole

extension Viewer {
  /// Creates a viewer with all panes.
  ///
  /// - Parameter lanes: The patterns of the lanes to show first, or none to show all.
  package init(
    _ terminal: TerminalState = TerminalState(), follows: Bool = false, replay: Replay? = nil,
    lanes: [String] = [], host: String = "", saved: SavedView? = nil, savesView: Bool = false,
    problem: String? = nil
  ) {
    self.init(
      terminal, panes: Panes.all, follows: follows, replay: replay,
      sources: SourceFiles(host: host))
    feed.arrangement.filter = ViewFilter(lanes: lanes)
    remember(saved, savesView: savesView)
    notice = problem.map { Notice(text: "the saved view can't be used: \($0)", isError: true) }
  }

  /// Applies a message to the viewer and returns the effects to perform. Nothing else changes a
  /// viewer.
  mutating func update(_ message: Message) -> [Effect] {
    var effects: [Effect] = []
    let pane = panes.chosenID
    if case .input = message { saved.hasInput = true }
    switch message {
    case .input(.key(let press)): effects = take(press)
    case .input(.paste(let text)): effects = paste(text)
    case .input(.mouse(let press)): mouse(press)
    case .resized(let columns, let rows): terminal.resize(columns: columns, rows: rows)
    case .arranged(let viewed, let reading): effects = take(viewed, reading)
    case .progressed(let reading): note(reading)
    case .read(let page): if page.request == neededEvents { panes.take(page) }
    case .found(let request, let event): arrive(request, event)
    case .searched(let result): effects = take(result)
    case .counted(let count, let filter):
      if typedFilter?.filter == filter { typedFilter?.count = count }
    case .comparedRows: break
    case .readHits(let page): panes.take(page)
    case .summarized(let lanes, let key):
      panes.statistics.take(lanes, key, wanted: summaryKey)
    case .grew(let rows, let key): panes.growth.take(rows, key, wanted: growthKey)
    case .exported(let notice, let existing): finishExport(notice, existing)
    case .located(let paths): sources.take(paths)
    case .readSource(let excerpt): sources.take(excerpt)
    case .said(let notice): self.notice = notice
    case .ticked(let now): play(to: now)
    }
    // After the user has entered a pane or turned to another one, no pane is suggested anymore.
    if case .input = message, focus == .pane || panes.chosenID != pane { panes.settle() }
    paneLines = 0
    if focus == .pane, !layout.isTooSmall {
      var pane = panes.current
      paneLines = pane.lineCount(self)
      panes.replace(pane)
    }
    timeline.scroll(height: layout.timeline.count)
    return effects + adaptPane()
  }

  private mutating func take(_ press: KeyPress) -> [Effect] {
    notice = nil
    if press == .control("c") { return [.quit(.interrupted)] }
    if press == .control("z") { return [.suspend] }
    if press == .control("l") { return [.redraw] }
    let meaning = KeyTable.meaning(of: press)
    if help.isShown { return readHelp(meaning) }
    if prompt != nil { return type(press) }
    if sortPane(by: press) { return [] }
    switch meaning {
    case .command(let command): return perform(command)
    case .pane(let id): show(id)
    case nil:
      let name = KeyName.of(press, isASCII: page.glyphs.isASCII)
      say("\(page.safe(name)) does nothing here; ? lists the keys")
    }
    return []
  }

  private mutating func paste(_ text: String) -> [Effect] {
    // Pasted text is accepted only in a prompt, because it must not act as commands.
    if prompt != nil {
      prompt?.insert(text)
      return follow()
    } else {
      say("paste works only after :, / and &")
    }
    return []
  }

  mutating func perform(_ command: ViewerCommand) -> [Effect] {
    switch command {
    case .left where fold(.fold), .right where fold(.unfold), .foldAll where fold(.toggleAll): break
    case .left, .right, .up, .down, .farLeft, .farRight, .pageUp, .pageDown, .first, .last:
      move(command)
    case .zoomIn: zoom(by: 0.5, at: timeline.cursor)
    case .zoomOut: zoom(by: 2, at: timeline.cursor)
    case .panLeft: pan(by: -0.25)
    case .panRight: pan(by: 0.25)
    case .fit: timeline.fit()
    case .nextEvent: return [find(.point, forward: true, in: timeline.listedScope)]
    case .previousEvent: return [find(.point, forward: false, in: timeline.listedScope)]
    case .cause: goToCause()
    case .parent: goToParent()
    case .nextFailure: return goToFailure(forward: true)
    case .previousFailure: return goToFailure(forward: false)
    case .nextFinding: goToFinding(.forward)
    case .previousFinding: goToFinding(.backward)
    case .busiest: goToBusiest()
    case .longest: goToLongest()
    case .mark: mark()
    case .goToMark: goToMark()
    case .note: askForNote()
    case .record: record()
    case .open: open()
    case .foldAll: if !timeline.toggleAllFolds() { say("nothing to fold") }
    case .listAll: listAll()
    case .allEvents: listAllEvents()
    case .nextPane: focus = focus == .timeline ? .pane : .timeline
    case .previousPane: turnBack()
    case .enlarge:
      split = split == .whole ? .fitting : .whole
      let part = focus == .pane ? "pane" : "timeline"
      say(split == .whole ? "the \(part) has all rows" : "as before")
    case .shrinkPane: shift(by: -2)
    case .growPane: shift(by: 2)
    case .otherLog:
      guard compared != nil else {
        return refuse("one log is shown; trace-viewer diff A B compares two")
      }
      return [.turn]
    case .clock: return turnAxis()
    case .sort where sortPane(): break
    case .sort:
      let order = feed.arrangement.order.next
      say("sorted by \(order.rawValue)")
      sortedOrder = order
      return arrange { $0.order = order }
    case .pin: return pin()
    case .group: return group(by: feed.arrangement.grouping.next)
    case .previousGrouping: return group(by: feed.arrangement.grouping.previous)
    case .palette: ask(.command)
    case .search: ask(.search)
    case .nextHit: return isReplaying ? step(forward: true) : stepToHit(.forward)
    case .previousHit: return stepToHit(.backward)
    case .filter:
      ask(.filter, text: (feed.suspended ?? feed.arrangement.filter).text)
      return searchWhileTyping()
    case .toggleFilter: return toggleFilter()
    case .leaksOnly: return arrange { $0.filter.leaksOnly.toggle() }
    case .play: return playOrPause()
    case .slower: changeSpeed(by: -1)
    case .faster: changeSpeed(by: 1)
    case .stepBack: return step(forward: false)
    case .skipGaps: toggleGaps()
    case .copy: return copy()
    case .source: return openSource()
    case .export: askWhereToExport(lane: nil)
    case .exportLane: return exportLane()
    case .mouse:
      terminal.usesMouse.toggle()
      say(terminal.usesMouse ? "mouse on; M turns it off" : "mouse off")
      return [.setMouse(terminal.usesMouse)]
    case .redraw: return [.redraw]
    case .help: help.show()
    case .back: return goBack()
    case .quit: return quit()
    case .interrupt: return [.quit(.interrupted)]
    case .suspend: return [.suspend]
    }
    return []
  }

  private mutating func readHelp(_ meaning: KeyTable.Meaning?) -> [Effect] {
    let command: ViewerCommand? = if case .command(let command) = meaning { command } else { nil }
    if let command, [.interrupt, .suspend, .redraw].contains(command) { return perform(command) }
    let count = HelpView.lines(help, columns: terminal.columns, page).count
    help.take(command, count: count, rows: terminal.rows)
    return []
  }

  /// Goes one step back. After the last step, only a message appears: the key must not quit and
  /// lose the marks because it was pressed once too often.
  private mutating func goBack() -> [Effect] {
    if isReplaying {
      replay = nil
    } else if search.result != nil {
      search.end()
      return [.stopSearch]
    } else if focus == .pane {
      focus = .timeline
    } else if !feed.arrangement.filter.isEmpty {
      return arrange { $0.filter = ViewFilter() }
    } else if recording != nil {
      cancelRecording()
    } else if !timeline.marks.times.isEmpty {
      timeline.clearMarks()
    } else {
      say("nothing to go back from; q quits")
    }
    return []
  }

  private mutating func quit() -> [Effect] {
    // If a list covers the whole screen, the user wants to leave the list.
    if focus == .pane, layout.timeline.isEmpty {
      focus = .timeline
      return []
    }
    guard exports.mayQuit() else {
      return refuse("still exporting; press q again to cancel it and quit")
    }
    return [.quit(.clean)]
  }

  private mutating func group(by grouping: Grouping) -> [Effect] {
    say("grouped by \(grouping.rawValue)")
    return arrange { $0.grouping = grouping }
  }

  mutating func arrange(_ change: (inout Arrangement) -> Void) -> [Effect] {
    change(&feed.arrangement)
    return [.arrange(feed.arrangement, isFrozen: feed.isFrozen)]
  }
}
