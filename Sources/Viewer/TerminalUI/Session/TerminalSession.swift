import CViewer.Terminal
import SystemLibrary

/// A terminal that is taken over while a closure runs.
///
/// Afterward, the terminal is as it was before, even if the closure throws, or `exit`, a signal or
/// a crash ends the process. There are only two exceptions: SIGKILL, and a stack overflow on a
/// thread other than the one that called `run`.
package final class TerminalSession {
  package let input: Int32
  package let output: Int32
  /// A descriptor that becomes readable when there is something for `takeSignals()`.
  package let signalDescriptor: Int32

  /// A Boolean value that indicates whether the terminal no longer accepts anything, because its
  /// window or its connection was closed.
  package private(set) var hasEnded = false
  private(set) var isEntered = false
  private var usesMouse = false
  private var waiting: [Int32] = []

  /// Takes over a terminal, calls the closure and gives the terminal back. If a signal that ends
  /// the process arrived, this function does not return: the process ends by that signal.
  package static func run<Result>(
    input: Int32, output: Int32, _ body: (TerminalSession) throws -> Result
  ) throws -> Result {
    let session = try TerminalSession(input: input, output: output)
    defer { session.end() }
    try session.enter()
    return try body(session)
  }

  private init(input: Int32, output: Int32) throws(TerminalError) {
    let signals = terminal_watch_signals()
    if signals < 0 {
      throw TerminalError(code: errno == EBUSY ? .busy : .signals, reason: errno)
    }
    let leaving = Array(TerminalSequences.leaving.utf8)
    guard terminal_remember(input, output, leaving, leaving.count) else {
      let reason = errno
      terminal_unwatch_signals()
      throw TerminalError(code: .refused, reason: reason)
    }
    self.input = input
    self.output = output
    signalDescriptor = signals
  }

  private func end() {
    terminal_restore()
    let deadly = terminal_deadly_signal()
    terminal_unwatch_signals()
    if deadly != 0 { terminal_die_by(deadly) }
  }

  /// Returns the descriptor that keys come from: standard input, or the terminal of the process if
  /// standard input is a file or a pipe. Returns nil for a process without a terminal.
  package static func inputDescriptor() -> Int32? {
    if isatty(STDIN_FILENO) == 1 { return STDIN_FILENO }
    #if canImport(Darwin)
      // On Darwin, /dev/tty can't be polled, but the terminal under its own name can.
      for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
        guard let name = ttyname(descriptor) else { continue }
        let opened = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        if opened >= 0 { return opened }
      }
    #endif
    let opened = open("/dev/tty", O_RDWR | O_CLOEXEC)
    return opened >= 0 ? opened : nil
  }

  /// Takes over the terminal again after `leave()`. The terminal no longer shows its earlier
  /// content.
  package func enter() throws(TerminalError) {
    guard !isEntered else { return }
    terminal_lend(false)
    guard terminal_take_over() else { throw TerminalError(code: .refused, reason: errno) }
    isEntered = true
    writeEntering()
  }

  /// Gives the terminal back for a while, to run an editor. During that time, the keys that
  /// interrupt are for the editor.
  package func leave() {
    guard isEntered else { return }
    isEntered = false
    terminal_restore()
    terminal_lend(true)
  }

  /// Stops the process group, as ^Z does elsewhere, and takes over the terminal again when the
  /// group continues. The terminal then shows nothing, and may have another size.
  package func suspend() throws(TerminalError) {
    guard isEntered else { return }
    isEntered = false
    terminal_restore()
    terminal_stop_group()
    try enter()
  }

  /// Returns the signals since the last call, each kind once. Also does what the signals ask for:
  /// stops the process, and takes over the terminal again when the process continues.
  package func takeSignals() throws(TerminalError) -> [TerminalSignal] {
    var taken: [TerminalSignal] = []
    gatherSignals()
    while !waiting.isEmpty {
      let signal = try handle(waiting.removeFirst())
      if !taken.contains(signal) { taken.append(signal) }
      gatherSignals()
    }
    return taken
  }

  package func setMouse(_ isOn: Bool) {
    guard isOn != usesMouse else { return }
    usesMouse = isOn
    if isEntered {
      write(Array((isOn ? TerminalSequences.withMouse : TerminalSequences.withoutMouse).utf8))
    }
  }

  package func size() -> (columns: Int, rows: Int) {
    TerminalSize.size(of: output) ?? TerminalSize.size(of: input) ?? (80, 24)
  }

  /// Reads keys once. The call may block until a key is pressed, so poll first.
  package func read() -> TerminalIO.Reading {
    let reading = TerminalIO.take(input)
    if reading == .ended { hasEnded = true }
    return reading
  }

  /// Writes all of the bytes. Gives up if the terminal is gone, or if it does not accept the bytes
  /// while the process is about to end.
  package func write(_ bytes: [UInt8]) {
    guard !hasEnded else { return }
    let isWritten = TerminalIO.put(bytes, output) { terminal_deadly_signal() != 0 }
    if !isWritten, terminal_deadly_signal() == 0 { hasEnded = true }
  }

  private func gatherSignals() {
    while case .bytes(let numbers) = TerminalIO.take(signalDescriptor) {
      waiting += numbers.map(Int32.init)
    }
  }

  private func handle(_ number: Int32) throws(TerminalError) -> TerminalSignal {
    switch number {
    case SIGWINCH: return .resized
    case SIGTSTP:
      try suspend()
      return .continued
    case SIGCONT:
      // The program that had the terminal in the meantime may have changed any setting.
      if isEntered {
        guard terminal_take_over() else { throw TerminalError(code: .refused, reason: errno) }
        writeEntering()
      }
      return .continued
    default: return .interrupted(number)
    }
  }

  /// A Boolean value that indicates whether a signal that ends the process has arrived.
  package var isTerminating: Bool { terminal_deadly_signal() != 0 }

  /// Sets up the terminal again for this session, regardless of what other programs have changed.
  package func refresh() {
    if isEntered { writeEntering() }
  }

  private func writeEntering() {
    write(Array(TerminalSequences.entering.utf8))
    if usesMouse { write(Array(TerminalSequences.withMouse.utf8)) }
  }
}

/// The sequences that are written to a terminal when it is taken over and when it is given back.
enum TerminalSequences {
  /// The sequence that takes over a terminal: the alternate screen, keys in their usual form,
  /// pastes between marks, no wrapping and no cursor.
  ///
  /// It also resets margins and insertion, which the previous program may have left on.
  static let entering =
    "\u{1B}[?1049h\u{1B}[r\u{1B}[?6l\u{1B}[4l\u{1B}(B\u{1B}[?1l\u{1B}>"
    + "\u{1B}[?2004h\u{1B}[?7l\u{1B}[?25l\u{1B}[m"

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

/// An event that a signal reported to a session.
package enum TerminalSignal: Hashable, Sendable {
  /// The size of the terminal changed.
  case resized
  /// The process is about to end. This signal ends it after the session.
  case interrupted(Int32)
  /// The process was stopped and continues. The terminal is taken over again and no longer shows
  /// its earlier content.
  case continued
}

/// An error that explains why a terminal could not be taken over.
package struct TerminalError: Error, Equatable {
  struct Code: Hashable, Sendable {
    let name: String

    /// Another session uses a terminal.
    static let busy = Code(name: "busy")
    /// The descriptor is not a terminal, or the system does not let the program change its
    /// settings.
    static let refused = Code(name: "refused")
    /// The signals of the process can't be watched.
    static let signals = Code(name: "signals")
  }

  let code: Code
  /// The reason from the system, as `errno`.
  let reason: Int32
}
