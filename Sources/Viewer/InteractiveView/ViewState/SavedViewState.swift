import TraceAnalysis
import TraceFormat
import TraceWords
import ViewerConsole

/// The saved view of the log that is read.
struct SavedViewState: Sendable {
  /// What is restored when enough of the log was read.
  enum Pending: Equatable, Sendable {
    case all(SavedView)
    /// The arrangement and the notes were restored.
    case position(SavedView)
  }

  /// The words of the view that mean nothing to this program, or that the command line replaces.
  /// They stay in the file.
  struct Unknown: Equatable, Sendable {
    var filter: String?
    var grouping: String?
    var order: String?
  }

  var pending: Pending?
  /// The view as it was read or last written, or `nil` if this log didn't have one.
  var original: SavedView?
  var unknown = Unknown()
  /// The filter of the command line, which takes precedence over the saved one and isn't saved.
  var given = ViewFilter()
  /// A Boolean value that indicates whether there is a file for the view.
  var hasFile = false
  /// A Boolean value that indicates whether the user has done something, after which nothing moves
  /// without another key.
  var hasInput = false
}

extension Viewer {
  /// The view to write, or `nil` if nothing changed that is worth a file.
  var changedView: SavedView? {
    guard saved.hasFile, let view = viewToSave else { return nil }
    guard let original = saved.original else { return view.isArranged ? view : nil }
    // While a log grows or is replayed, the position changes without the user.
    let isMoving = feed.reading.follows || isReplaying
    let isSame = isMoving ? view.withoutPosition == original.withoutPosition : view == original
    return isSame ? nil : view
  }

  /// Takes the saved view, which is restored when the log was read.
  mutating func remember(_ view: SavedView?, savesView: Bool) {
    saved.given = feed.arrangement.filter
    saved.hasFile = savesView
    saved.pending = view.map { .all($0) }
  }

  /// What the user arranged and noted, with what isn't restored yet, or `nil` if that isn't known.
  private var viewToSave: SavedView? {
    guard var view = currentView else { return nil }
    switch saved.pending {
    case nil: return view
    case .all: return nil
    case .position(let old):
      (view.position, view.window) = (old.position, old.window)
      if view.marks.isEmpty { view.marks = old.marks }
      return view
    }
  }

  /// What the user arranged and noted, or `nil` if the log has no identity.
  var currentView: SavedView? {
    guard let trace = log.logs.first?.header?.trace else { return nil }
    var view = SavedView(trace: "\(trace)")
    let arrangement = feed.arrangement
    let filter = feed.suspended ?? arrangement.filter
    let isSaved = !filter.text.isEmpty && filter.text != saved.given.text
    view.filter = isSaved ? filter.text : saved.unknown.filter ?? ""
    view.leaksOnly = filter.leaksOnly
    view.grouping =
      arrangement.grouping == .parent ? saved.unknown.grouping : arrangement.grouping.rawValue
    view.order = arrangement.order == .time ? saved.unknown.order : arrangement.order.rawValue
    view.pinned = arrangement.pinned
    view.notes = notes.map { .init(time: $0.time.count, text: $0.text) }
    view.marks = timeline.marks.times.map(\.count)
    if !timeline.fitsAll {
      let window = timeline.window
      view.window = .init(start: window.start.count, duration: window.duration)
    }
    view.position.cursor = timeline.cursor.count
    view.position.lane = timeline.selectedLane?.key ?? []
    view.position.subscription = timeline.chosenLifecycle?.id.number
    view.position.pane = panes.chosenID.title
    return view
  }

  /// Restores what was saved for the log, as far as it was read. Returns true if the arrangement
  /// changed.
  mutating func restore(_ reading: ReadingState) -> Bool {
    guard case .all(let view) = saved.pending else {
      restorePosition(reading)
      return false
    }
    guard let first = log.logs.first else { return false }
    guard let trace = first.header?.trace, "\(trace)" == view.trace else {
      saved.pending = nil
      notice = Notice(text: "the saved view is about another log and isn't used")
      return false
    }
    saved.pending = .position(view)
    let (before, typed) = (feed.arrangement, notes)
    notes = view.notes.map { Note(time: Nanoseconds($0.time), text: $0.text) }
      .sorted { $0.time < $1.time }
    arrange(as: view)
    saved.original = viewToSave
    notes = (notes + typed).sorted { $0.time < $1.time }
    if feed.arrangement != before { return true }
    // The usual arrangement needs no further message.
    restorePosition(reading)
    return false
  }

  private mutating func restorePosition(_ reading: ReadingState) {
    guard case .position(let view) = saved.pending, reading.isComplete || reading.follows,
      viewed.arrangement == feed.arrangement
    else { return }
    if timeline.marks.times.isEmpty {
      for time in view.marks.suffix(2) { timeline.mark(at: Nanoseconds(time)) }
    }
    // A log that grows is shown at its end, and a replay at its time.
    if !saved.hasInput, !reading.follows, !isReplaying { move(to: view) }
    // Until the user does something, the file needs no change.
    if !saved.hasInput { saved.original = currentView }
    saved.pending = nil
  }

  private mutating func arrange(as view: SavedView) {
    do throws(QueryError) {
      let filter = try ViewFilter(view.filter)
      if saved.given.isEmpty {
        feed.arrangement.filter = filter
      } else {
        saved.unknown.filter = view.filter
      }
    } catch {
      feed.arrangement.filter = saved.given
      saved.unknown.filter = view.filter
      notice = Notice(text: "the saved filter isn't used: \(error.sentence)", isError: true)
    }
    feed.arrangement.filter.leaksOnly = view.leaksOnly
    feed.arrangement.grouping = view.grouping.flatMap(Grouping.init) ?? .parent
    feed.arrangement.order = view.order.flatMap(ListOrder.init) ?? .time
    if feed.arrangement.grouping == .parent { saved.unknown.grouping = view.grouping }
    if feed.arrangement.order == .time { saved.unknown.order = view.order }
    feed.arrangement.pinned = view.pinned
  }

  private mutating func move(to view: SavedView) {
    timeline.restore(view)
    if let pane = panes.ids.first(where: { $0.title == view.position.pane }) {
      panes.turn(to: pane)
      panes.settle()
    }
  }
}

extension TimelineState {
  /// Goes to a saved position, as far as the log still has it.
  mutating func restore(_ view: SavedView) {
    if let saved = view.window, saved.duration > 0 {
      show(VisibleRange(start: Nanoseconds(saved.start), duration: saved.duration))
    }
    let window = window
    let lane = viewed.outline.lane(of: view.position.lane)
    let members: MemberList = lane.map { viewed.outline.lanes[$0].listed } ?? []
    let chosen = members.first {
      viewed.log.lifecycles[$0].id.number == view.position.subscription
    }
    if let chosen { _ = go(to: chosen) }
    point(to: Nanoseconds(view.position.cursor))
    // The cursor and the subscription may be outside of the visible range.
    if view.window != nil { show(window) }
  }
}
