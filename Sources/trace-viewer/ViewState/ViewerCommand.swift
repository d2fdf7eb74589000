import TerminalUI

/// A command of the viewer, independent of its key and the focus.
enum ViewerCommand: Hashable, CaseIterable, Sendable {
  // Moving
  case left, right, up, down, farLeft, farRight, pageUp, pageDown, first, last
  case zoomIn, zoomOut, panLeft, panRight, fit
  case nextEvent, previousEvent, cause, parent, nextFailure, previousFailure, nextFinding
  case mark, goToMark
  // Viewing
  case open, foldAll, nextPane, previousPane
  case subscriptions, events, detail, findings, summary
  case clock, sort, group
  // Finding
  case search, nextHit, previousHit, filter, leaksOnly
  // Replaying
  case play, slower, faster, stepBack, skipGaps
  // Passing on
  case copy, source, export
  case mouse, redraw, help, back, quit, interrupt, suspend
}
