/// What a signal said to a session.
package enum TerminalSignal: Hashable, Sendable {
  /// The terminal has another size.
  case resized
  /// The process is to end. It does so, by this very signal, when the session is over.
  case interrupted(Int32)
  /// The process had been stopped. The terminal is taken over again, and shows nothing of what it showed.
  case continued
}
