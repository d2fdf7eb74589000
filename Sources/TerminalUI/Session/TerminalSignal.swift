/// An event that a signal reported to a session.
package enum TerminalSignal: Hashable, Sendable {
  /// The size of the terminal changed.
  case resized
  /// The process is about to end. This signal ends it when the session is over.
  case interrupted(Int32)
  /// The process was stopped and continues. The terminal is taken over again and no longer shows
  /// its earlier content.
  case continued
}
