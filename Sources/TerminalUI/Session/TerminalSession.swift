import SystemLibrary
import TerminalShims

/// A terminal that is taken over for as long as a closure runs.
///
/// However that ends, by returning, throwing, `exit`, a signal or a crash, the terminal is afterwards as it was before.
/// Only a stack that overflows on another thread than the one that called `run`, and SIGKILL, leave it as it is.
package final class TerminalSession {
  package let input: Int32
  package let output: Int32
  /// Becomes readable when there is something for `takeSignals()`.
  package let signalDescriptor: Int32

  /// Whether the terminal takes nothing any more: its window was closed, or its connection.
  package private(set) var hasEnded = false
  private(set) var isEntered = false
  private var usesMouse = false
  private var waiting: [Int32] = []

  /// Takes over a terminal, calls the closure and gives it back. If a signal came to end the process, this does not
  /// return: the process ends by that signal.
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

  /// Where keys come from: standard input, or the terminal of the process where that is a file or a pipe. Nil if there
  /// is none.
  package static func inputDescriptor() -> Int32? {
    if isatty(STDIN_FILENO) == 1 { return STDIN_FILENO }
    #if canImport(Darwin)
      // There /dev/tty cannot be polled, but the terminal under its own name can.
      for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
        guard let name = ttyname(descriptor) else { continue }
        let opened = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        if opened >= 0 { return opened }
      }
    #endif
    let opened = open("/dev/tty", O_RDWR | O_CLOEXEC)
    return opened >= 0 ? opened : nil
  }

  /// Takes the terminal over again after `leave()`. It shows nothing of what it showed.
  package func enter() throws(TerminalError) {
    guard !isEntered else { return }
    terminal_lend(false)
    guard terminal_take_over() else { throw TerminalError(code: .refused, reason: errno) }
    isEntered = true
    writeEntering()
  }

  /// Gives the terminal back for a while, to run an editor. Keys that interrupt are meant for that one meanwhile.
  package func leave() {
    guard isEntered else { return }
    isEntered = false
    terminal_restore()
    terminal_lend(true)
  }

  /// Stops the process group, as ^Z does elsewhere, and takes the terminal over again when it goes on. It shows nothing
  /// then, and may have another size.
  package func suspend() throws(TerminalError) {
    guard isEntered else { return }
    isEntered = false
    terminal_restore()
    terminal_stop_group()
    try enter()
  }

  /// What signals said since the last call, each thing once. Does what they ask: stops the process, and takes the
  /// terminal over again when it goes on.
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
    TerminalSize.askWhole(output) ?? TerminalSize.askWhole(input) ?? (80, 24)
  }

  /// One read of keys. Where none are there it may wait: poll first.
  package func read() -> TerminalIO.Reading {
    let reading = TerminalIO.take(input)
    if reading == .ended { hasEnded = true }
    return reading
  }

  /// Writes all of the bytes; gives up if the terminal is gone, or holds them up when the process is to end.
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
      // Who had the terminal meanwhile may have set it to anything.
      if isEntered {
        guard terminal_take_over() else { throw TerminalError(code: .refused, reason: errno) }
        writeEntering()
      }
      return .continued
    default: return .interrupted(number)
    }
  }

  /// Whether a signal came to end the process.
  package var isToEnd: Bool { terminal_deadly_signal() != 0 }

  /// Sets the terminal again to what it is meant to be, whatever others have made of it.
  package func refresh() {
    if isEntered { writeEntering() }
  }

  private func writeEntering() {
    write(Array(TerminalSequences.entering.utf8))
    if usesMouse { write(Array(TerminalSequences.withMouse.utf8)) }
  }
}
