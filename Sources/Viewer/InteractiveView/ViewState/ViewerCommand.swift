/// A command of the viewer, independent of its key and the focus.
enum ViewerCommand: Hashable, CaseIterable, Sendable {
  // Moving
  case left, right, up, down, farLeft, farRight, pageUp, pageDown, first, last
  case zoomIn, zoomOut, panLeft, panRight, fit
  case nextEvent, previousEvent, cause, parent, nextFailure, previousFailure, nextFinding,
    previousFinding
  case mark, goToMark, note, record
  // Viewing
  case open, foldAll, listAll, nextPane, previousPane
  case clock, sort, group, previousGrouping, pin, enlarge, shrinkPane, growPane
  // Finding
  case palette, search, nextHit, previousHit, filter, toggleFilter, leaksOnly
  // Replaying
  case play, slower, faster, stepBack, skipGaps
  // Exporting
  case copy, source, export
  case mouse, redraw, help, back, quit, interrupt, suspend
}
