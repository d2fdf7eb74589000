import TerminalUI
import TraceAnalysis
import TraceFormat

extension Viewer {
  /// Applies a message to the viewer and returns the effects to perform. Nothing else changes a
  /// viewer.
  mutating func update(_ message: Message) -> [Effect] {
    var effects: [Effect] = []
    switch message {
    case .input(.key(let press)): effects = take(press)
    case .input(.paste(let text)): paste(text)
    case .input(.mouse(let press)): effects = mouse(press)
    case .resized(let columns, let rows): resize(columns: columns, rows: rows)
    case .arranged(let viewed, let reading): effects = show(viewed, reading)
    case .progressed(let reading): note(reading)
    case .read(let page): if page.request == wantedEvents { events = page }
    case .found(let quest, let event): arrive(quest, event)
    case .searched(let state): effects = take(state)
    case .summarized(let statistics, let key): take(statistics, key)
    case .exported(let notice, let existing): finishExport(notice, existing)
    case .said(let notice): self.notice = notice
    case .ticked(let now): play(to: now)
    }
    keepInView()
    return effects + eventsToRead()
  }

  private mutating func resize(columns: Int, rows: Int) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
    page = Page(width: self.columns, glyphs: page.glyphs)
  }

  private mutating func take(_ press: KeyPress) -> [Effect] {
    notice = nil
    if press == .control("c") { return [.quit(.interrupted)] }
    if press == .control("z") { return [.suspend] }
    if press == .control("l") { return [.redraw] }
    if prompt != nil { return type(press) }
    guard let command = KeyTable.command(of: press) else {
      if showsHelp {
        showsHelp = false
        return []
      }
      let name = KeyName.of(press, isASCII: page.glyphs.isASCII)
      notice = Notice(text: "\(page.safe(name)) does nothing here; ? lists the keys")
      return []
    }
    if showsHelp { return turnHelp(command) }
    return perform(command)
  }

  private mutating func paste(_ text: String) {
    // Pasted text is accepted only in a prompt, because it must not act as commands.
    if prompt != nil {
      prompt?.insert(text)
    } else {
      notice = Notice(text: "what is pasted is text for / and &, no keys")
    }
  }

  mutating func perform(_ command: ViewerCommand) -> [Effect] {
    switch command {
    case .left, .right, .up, .down, .farLeft, .farRight, .pageUp, .pageDown, .first, .last:
      move(command)
    case .zoomIn: zoom(by: 0.5)
    case .zoomOut: zoom(by: 2)
    case .panLeft: pan(by: -0.25)
    case .panRight: pan(by: 0.25)
    case .fit: fit()
    case .nextEvent: return [quest(.point, forward: true, of: rowScope)]
    case .previousEvent: return [quest(.point, forward: false, of: rowScope)]
    case .cause, .parent: goToOrigin(command)
    case .nextFailure: goToFailure(forward: true)
    case .previousFailure: goToFailure(forward: false)
    case .nextFinding: goToNextFinding()
    case .mark: mark()
    case .goToMark: goToMark()
    case .open: open()
    case .foldAll: foldAll()
    case .nextPane: return turnFocus(1)
    case .previousPane: return turnFocus(-1)
    case .subscriptions, .events, .detail, .findings, .summary: return show(command)
    case .clock: showsClock.toggle()
    case .sort:
      notice = Notice(text: "sorted by \(arrangement.order.next.rawValue)")
      return arrange { $0.order = $0.order.next }
    case .group:
      notice = Notice(text: "grouped by \(arrangement.grouping.next.rawValue)")
      return arrange { $0.grouping = $0.grouping.next }
    case .search: prompt = Prompt(.search)
    case .nextHit: return isReplaying ? step(forward: true) : nextHit(forward: true)
    case .previousHit: return nextHit(forward: false)
    case .filter: prompt = Prompt(.filter, text: arrangement.filter.text)
    case .leaksOnly: return arrange { $0.filter.leaksOnly.toggle() }
    case .play: return playOrPause()
    case .slower: changeSpeed(by: -1)
    case .faster: changeSpeed(by: 1)
    case .stepBack: return step(forward: false)
    case .skipGaps: toggleGaps()
    case .copy: return copy()
    case .source: return openSource()
    case .export: askWhereToExport()
    case .mouse:
      usesMouse.toggle()
      notice = Notice(text: usesMouse ? "mouse on; M turns it off" : "mouse off")
      return [.setMouse(usesMouse)]
    case .redraw: return [.redraw]
    case .help:
      showsHelp = true
      helpRow = 0
    case .back: return goBack()
    case .quit: return quit()
    case .interrupt: return [.quit(.interrupted)]
    case .suspend: return [.suspend]
    }
    return []
  }

  private mutating func turnHelp(_ command: ViewerCommand) -> [Effect] {
    let most = max(0, HelpView.lineCount(columns: columns, page) - (rows - 2))
    switch command {
    case .up: helpRow = max(0, helpRow - 1)
    case .down: helpRow = min(most, helpRow + 1)
    case .pageUp: helpRow = max(0, helpRow - max(1, rows - 3))
    case .pageDown, .play: helpRow = min(most, helpRow + max(1, rows - 3))
    case .first: helpRow = 0
    case .last: helpRow = most
    case .interrupt, .suspend, .redraw: return perform(command)
    default: showsHelp = false
    }
    return []
  }

  /// Goes one step back, or quits if there is no step left.
  private mutating func goBack() -> [Effect] {
    if isReplaying {
      replay = nil
    } else if search != nil {
      search = nil
      return [.stopSearch]
    } else if focus == .pane {
      focus = .timeline
    } else if !arrangement.filter.isEmpty {
      return arrange { $0.filter = ViewFilter() }
    } else if !marks.times.isEmpty {
      marks.clear()
    } else {
      return [.quit(.clean)]
    }
    return []
  }

  private mutating func quit() -> [Effect] {
    // If a list covers the whole screen, the user wants to leave the list.
    if focus == .pane, layout.timeline.isEmpty {
      focus = .timeline
      return []
    }
    if exports > 0, !warnedOfExport {
      warnedOfExport = true
      notice = Notice(text: "still exporting; q again gives it up")
      return []
    }
    return [.quit(.clean)]
  }

  mutating func arrange(_ change: (inout Arrangement) -> Void) -> [Effect] {
    change(&arrangement)
    return [.arrange(arrangement, isFrozen: isFrozen)]
  }
}
