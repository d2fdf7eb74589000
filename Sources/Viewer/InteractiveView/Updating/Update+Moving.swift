import TraceAnalysis
import TraceFormat
import ViewerConsole

// Moving in the timeline and in the shown pane.
extension Viewer {
  mutating func move(_ command: ViewerCommand) {
    if focus == .pane, let movement = paneMovement(command) {
      return withCurrentPane { $0.move(movement, in: &$1) }
    }
    let list = timeline.list
    let height = max(1, layout.timeline.count - 1)
    switch command {
    case .left: moveCursor(by: -1)
    case .right: moveCursor(by: 1)
    case .farLeft: moveCursor(by: -10)
    case .farRight: moveCursor(by: 10)
    case .up: timeline.select(item: list.selected - 1)
    case .down: timeline.select(item: list.selected + 1)
    case .pageUp: timeline.select(item: list.selected - height)
    case .pageDown: timeline.select(item: list.selected + height)
    case .first: point(to: .zero)
    case .last:
      point(to: log.duration)
      if feed.reading.follows { timeline.keepEnd() }
    default: break
    }
  }

  /// Returns the movement in the pane, or `nil` for commands that move in the timeline even while
  /// the pane has the focus.
  private func paneMovement(_ command: ViewerCommand) -> PaneMovement? {
    let height = max(1, layout.pane.count - 2)
    return switch command {
    case .up: .by(-1)
    case .down: .by(1)
    case .pageUp: .by(-height)
    case .pageDown: .by(height)
    case .first: .first
    case .last: .last
    default: nil
    }
  }

  private mutating func moveCursor(by columns: Int) {
    point(to: timeline.time(movedBy: columns, cells: layout.cells))
  }

  mutating func zoom(by factor: Double, at time: Nanoseconds) {
    timeline.zoom(by: factor, at: time, cells: layout.cells)
  }

  mutating func pan(by share: Double) {
    if !timeline.pan(by: share) {
      say("everything is in view; w zooms in")
    }
  }

  /// Shows wall-clock times, or times since the start. Several logs can also begin at time 0 each.
  mutating func turnAxis() -> [Effect] {
    guard log.logs.count > 1 else {
      timeline.showClock(!timeline.showsClock)
      return []
    }
    if snapshot.isAligned {
      timeline.showClock(true)
      say("wall-clock time")
      return arrange { $0.alignsStarts = false }
    }
    if timeline.showsClock {
      timeline.showClock(false)
      say("time since the start of the first log")
      return []
    }
    say("each log begins at 0")
    return arrange { $0.alignsStarts = true }
  }

  mutating func mark() {
    timeline.mark()
    if let between = timeline.marks.between {
      say("\(page.duration(between.duration)) between the marks; f fits them, Esc removes them")
    } else {
      say("marked; a second mark measures the time between")
    }
  }

  mutating func goToMark() {
    guard let time = timeline.nextMark() else { return say("no mark; m sets one") }
    point(to: time)
  }

  // MARK: Notes

  mutating func askForNote() {
    guard !snapshot.isAligned else {
      return say("notes need one time axis; T shows wall-clock time")
    }
    let note = noteAtCursor
    let time = note?.time ?? timeline.cursor
    guard note?.text.count ?? 0 <= Prompt.longest else {
      return say("the note is too long to change it here; change it in the file")
    }
    ask(.note(time, page.duration(time)), text: note?.text ?? "")
  }

  /// Adds, changes or removes a note, and saves the notes, because nobody can repeat them.
  mutating func note(_ text: String, at time: Nanoseconds) -> [Effect] {
    let text = String(text.drop { $0 == " " })
    let old = notes.firstIndex { $0.time == time }
    if let old { notes.remove(at: old) }
    if text.isEmpty {
      say(old == nil ? "no text, no note" : "note removed")
    } else {
      notes.append(Note(time: time, text: text))
      notes.sort { $0.time < $1.time }
      // A log without an identity has no file.
      let isSaved = saved.hasFile && log.logs.first.map { $0.header?.trace != nil } ?? true
      let end = isSaved ? "" : "; it is not saved"
      say("note at \(page.duration(time))\(end)")
    }
    guard let view = changedView else { return [] }
    saved.original = view
    return [.save(view)]
  }
}
