/// What is written to a terminal when it is taken over and when it is given back.
enum TerminalSequences {
  /// The alternate screen, keys in their usual form, pastes between marks, no wrapping and no cursor.
  ///
  /// Margins and insertion may be left over from whoever had the terminal before.
  static let entering =
    "\u{1B}[?1049h\u{1B}[r\u{1B}[?6l\u{1B}[4l\u{1B}(B\u{1B}[?1l\u{1B}>\u{1B}[?2004h\u{1B}[?7l\u{1B}[?25l\u{1B}[m"

  /// All of it undone, and whatever else a session may have switched on. The end of an update comes first: a terminal
  /// that waits for it would show nothing.
  static let leaving =
    ScreenDiff.endUpdate + withoutMouse
    + "\u{1B}[?2004l\u{1B}[?7h\u{1B}[m\u{1B}[r\u{1B}[?25h\u{1B}[?1049l"

  /// Buttons, and moves while one is held, in the form that knows wide terminals.
  static let withMouse = "\u{1B}[?1002h\u{1B}[?1006h"
  static let withoutMouse = "\u{1B}[?1006l\u{1B}[?1002l"
}
