// The pane below the timeline, and folding.
extension Viewer {
  /// Goes from the timeline to the last pane, from there to the previous one, and from the first
  /// one back to the timeline.
  mutating func turnBack() {
    if focus == .timeline {
      focus = .pane
      panes.turnToLast()
    } else if !panes.turnBack() {
      focus = .timeline
    }
  }

  /// Performs the action of the Enter key.
  mutating func open() {
    guard focus == .pane else { return openLane() }
    withCurrentPane { $0.open(in: &$1) }
    panes.scrollToTop()
  }

  /// Folds or unfolds lines of the shown pane. Returns false if the pane has no such lines or does
  /// not have the focus.
  mutating func fold(_ change: PaneFold) -> Bool {
    guard focus == .pane else { return false }
    var isDone = false
    withCurrentPane { isDone = $0.fold(change, in: &$1) }
    return isDone
  }

  /// Folds or unfolds the selected lane. If there is nothing to fold, the user wants to see the
  /// details.
  private mutating func openLane() {
    if timeline.selectedLane == nil {
      notice = Notice(text: "nothing to fold")
    } else if !timeline.toggleFold() {
      show(.detail)
    }
  }
}
