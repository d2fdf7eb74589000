import SystemLibrary
import TerminalUI
import ViewerConsole

/// The keys and the screen of a terminal session, for a loop that waits for them.
final class ViewTerminal {
  /// What happened while the loop waited.
  struct Events {
    var signals: [TerminalSignal] = []
    var inputs: [TerminalInput] = []
    /// A Boolean value that indicates whether the other descriptor is readable.
    var isReadable = false
    /// A Boolean value that indicates whether waiting is impossible.
    var hasFailed = false

    fileprivate var isInterrupted: Bool {
      signals.contains { if case .interrupted = $0 { true } else { false } }
    }
  }

  let session: TerminalSession
  private let depth: ColorDepth
  private let showsLinks: Bool
  private var parser = KeyParser()
  private var shown: Screen?
  /// The time of the last keys, by the clock of `now()`.
  private var lastInput: UInt64 = 0

  /// The time in milliseconds after an escape byte in which further bytes belong to it.
  private static let escapeTime: Int32 = 30

  init(_ session: TerminalSession, depth: ColorDepth, showsLinks: Bool) {
    self.session = session
    self.depth = depth
    self.showsLinks = showsLinks
  }

  /// Waits for keys, for signals and for another descriptor.
  ///
  /// - Parameters:
  ///   - descriptor: The other descriptor, or a negative number for none.
  ///   - limit: The time limit in milliseconds, or a negative number for none.
  func wait(for descriptor: Int32 = -1, limit: Int32 = -1) throws -> Events {
    var requests = [session.input, session.signalDescriptor, descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let count = poll(&requests, nfds_t(requests.count), parser.isPending ? Self.escapeTime : limit)
    var events = Events()
    events.hasFailed = count < 0 && errno != EINTR
    if requests[1].revents != 0 { events.signals = try session.takeSignals() }
    guard !events.hasFailed, !events.isInterrupted else { return events }
    if requests[0].revents != 0 {
      if case .bytes(let bytes) = session.read() { events.inputs = parser.feed(bytes) }
      lastInput = Self.now()
    } else if parser.isPending, Self.now() &- lastInput >= UInt64(Self.escapeTime) * 1_000_000 {
      // An unfinished key sequence ends here, no matter which other requests have arrived.
      events.inputs = parser.flush()
      lastInput = Self.now()
    }
    events.isReadable = requests[2].revents != 0
    return events
  }

  /// Draws the differences from what is on the screen.
  func draw(_ frame: Frame, columns: Int, rows: Int) {
    let screen = Screen(frame, columns: columns, rows: rows)
    let bytes = ScreenDiff.bytes(from: shown, to: screen, depth: depth, showsLinks: showsLinks)
    if !bytes.isEmpty { session.write(bytes) }
    shown = screen
  }

  /// Draws everything the next time, because something else may be on the screen.
  func forget() { shown = nil }

  /// Handles a signal. Returns the exit code with which the loop ends, or nil if it continues.
  ///
  /// - Parameter resize: Adapts the view to the size of the terminal.
  func take(_ signal: TerminalSignal, resize: () -> Void) -> ExitCode? {
    switch signal {
    // The session ends the process with the same signal when it finishes.
    case .interrupted: return .interrupted
    case .resized: break
    case .continued: forget()
    }
    resize()
    return nil
  }

  /// Draws the whole screen again.
  func redraw() {
    session.refresh()
    forget()
  }

  /// Stops the process until the shell continues it. Returns the exit code with which the loop
  /// ends, or nil if it continues.
  func suspend(resize: () -> Void) -> ExitCode? {
    defer {
      forget()
      resize()
    }
    do {
      try session.suspend()
      return nil
    } catch {
      return .cannotOpen
    }
  }

  func copy(_ text: String) { session.write(Array(Clipboard.sequence(text).utf8)) }

  /// Returns the time in nanoseconds of a monotonic clock.
  static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
