/// The sequences that are written to a terminal when it is taken over and when it is given back.
enum TerminalSequences {
  /// The sequence that takes over a terminal: the alternate screen, keys in their usual form,
  /// pastes between marks, no wrapping and no cursor.
  ///
  /// It also resets margins and insertion, which the previous program may have left on.
  static let entering =
    "\u{1B}[?1049h\u{1B}[r\u{1B}[?6l\u{1B}[4l\u{1B}(B\u{1B}[?1l\u{1B}>\u{1B}[?2004h\u{1B}[?7l\u{1B}[?25l\u{1B}[m"

  /// The sequence that undoes all of this and everything else that a session may have switched on.
  /// The end of an update comes first, because a terminal that waits for it would show nothing.
  static let leaving =
    ScreenDiff.endUpdate + withoutMouse
    + "\u{1B}[?2004l\u{1B}[?7h\u{1B}[m\u{1B}[r\u{1B}[?25h\u{1B}[?1049l"

  /// The sequence that turns on reports of buttons, and of moves while a button is held. It chooses
  /// the form that supports wide terminals.
  static let withMouse = "\u{1B}[?1002h\u{1B}[?1006h"
  static let withoutMouse = "\u{1B}[?1006l\u{1B}[?1002l"
}
