import SystemLibrary
package import TestSupport
import Testing

/// A program in an emulated terminal. A test can read its screen, send keys and resize the window.
///
/// Nothing sleeps. If the expected output doesn't appear, the program is killed after a while and
/// the test fails.
package final class PseudoTerminal {
  private let pair: TerminalPair
  private let process: Int32
  /// A descriptor that becomes readable when the program and all of its children have ended.
  private let over: Int32
  private var ending: ProcessEnding?
  package private(set) var screen: EmulatedScreen
  /// All bytes that were written, for facts that a screen doesn't show.
  package private(set) var bytes: [UInt8] = []

  /// Starts a program as the leader of its own session, with the terminal as its input, output and
  /// errors.
  ///
  /// - Parameter environment: The complete environment. The test's own environment isn't inherited.
  package init(
    _ path: String, _ arguments: [String], environment: [String: String] = [:],
    columns: Int = 80, rows: Int = 24
  ) throws {
    pair = try TerminalPair(columns: columns, rows: rows)
    screen = EmulatedScreen(columns: columns, rows: rows)
    var terminal = ["TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"]
    terminal.merge(environment) { $1 }
    (process, over) = try TerminalProcess.start(path, arguments, terminal, terminal: pair.path)
  }

  deinit {
    if ending == nil {
      killAll()
      reap()
    }
    close(over)
  }

  /// The current settings of the terminal.
  package var attributes: TerminalAttributes { pair.attributes }

  package func send(_ text: String) {
    pair.send(Array(text.utf8))
  }

  /// Resizes the window. The kernel notifies the program.
  package func resize(columns: Int, rows: Int) {
    screen.resize(columns: columns, rows: rows)
    pair.resize(columns: columns, rows: rows)
  }

  package func signal(_ number: Int32) {
    kill(process, number)
  }

  /// Reads until the screen is complete and as expected. Returns false if the program ends, hangs
  /// or keeps drawing something else.
  package func wait(until isExpected: (EmulatedScreen) -> Bool) -> Bool {
    let limit = ContinuousClock.now + .milliseconds(TerminalPair.maxMilliseconds)
    while true {
      while read(milliseconds: 0) {
        if !screen.isUpdating, isExpected(screen) { return true }
        if ContinuousClock.now > limit {
          Issue.record("The program only draws something else:\n\(screen.text)")
          return false
        }
      }
      if !screen.isUpdating, isExpected(screen) { return true }
      // The end of the program counts only after all of its output was read.
      if ending != nil || !waitForMore() { return false }
    }
  }

  /// Reports whether nothing is written for a while.
  package func isQuiet(milliseconds: Int32) -> Bool {
    !read(milliseconds: milliseconds)
  }

  package func wait(for text: String) -> Bool {
    wait { $0.text.contains(text) }
  }

  /// Reads until the program ends.
  @discardableResult
  package func waitForExit() -> ProcessEnding {
    while ending == nil, waitForMore() {}
    while read(milliseconds: 0) {}
    return ending ?? .killed(by: SIGKILL)
  }

  /// Reads more output, or notices that the program ended. Returns false if neither happens within
  /// `hangLimit`.
  private func waitForMore() -> Bool {
    var requests = [
      pollfd(fd: pair.master, events: Int16(POLLIN), revents: 0),
      pollfd(fd: over, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&requests, 2, TerminalPair.maxMilliseconds) > 0 else {
      Issue.record("The program hangs. It shows:\n\(screen.text)")
      killAll()
      reap()
      return false
    }
    if requests[0].revents != 0, read(milliseconds: 0) { return true }
    if requests[1].revents != 0 { reap() }
    return true
  }

  private func read(milliseconds: Int32) -> Bool {
    var request = pollfd(fd: pair.master, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, milliseconds) > 0, let more = pair.take() else { return false }
    bytes += more
    screen.feed(more)
    return true
  }

  private func reap() {
    guard ending == nil else { return }
    ending = Spawner.reap(process)
  }

  /// Kills the program and its children.
  private func killAll() {
    kill(-process, SIGKILL)
    kill(process, SIGKILL)
  }
}
