import SystemLibrary
import TestSupport
import Testing

@testable import InteractiveView
@testable import TerminalUI
@testable import TraceAnalysis
@testable import TraceFormat

/// A program that runs in a terminal which a test plays: what it draws is seen, keys are sent, windows resized.
///
/// Nothing sleeps. What is waited for comes, or the program is killed after a while and the test fails.
final class PseudoTerminal {
  private let pair: TerminalPair
  private let process: Int32
  /// Becomes readable when the program and whatever it started are over.
  private let over: Int32
  private var ending: ProcessEnding?
  private(set) var screen: EmulatedScreen
  /// Everything that was written, for what a screen does not show.
  private(set) var bytes: [UInt8] = []

  /// Starts a program as the leader of a session of its own, with the terminal for its input, output and errors.
  ///
  /// - Parameter environment: all of it; the test's own is not handed on.
  init(
    _ path: String, _ arguments: [String], environment: [String: String] = [:],
    columns: Int = 80, rows: Int = 24
  ) throws {
    pair = try TerminalPair(columns: columns, rows: rows)
    screen = EmulatedScreen(columns: columns, rows: rows)
    var terminal = ["TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"]
    terminal.merge(environment) { $1 }
    (process, over) = try TerminalProcess.start(
      path, arguments, terminal, terminal: pair.path)
  }

  /// Starts the program that was built beside the tests.
  convenience init(
    viewer arguments: String..., environment: [String: String] = [:], columns: Int = 80,
    rows: Int = 24
  ) throws {
    try self.init(
      BuiltProgram.path, arguments, environment: environment, columns: columns, rows: rows)
  }

  deinit {
    if ending == nil {
      killAll()
      reap()
    }
    close(over)
  }

  /// How the terminal is set now.
  var attributes: TerminalAttributes { pair.attributes }

  func send(_ text: String) {
    pair.send(Array(text.utf8))
  }

  /// The kernel tells the program.
  func resize(columns: Int, rows: Int) {
    screen.resize(columns: columns, rows: rows)
    pair.resize(columns: columns, rows: rows)
  }

  func signal(_ number: Int32) {
    kill(process, number)
  }

  /// Reads until the screen is as expected, and not half drawn. False if the program ends or hangs before, or draws for
  /// ever what is not expected.
  func wait(until isExpected: (EmulatedScreen) -> Bool) -> Bool {
    let limit = ContinuousClock.now + .milliseconds(TerminalPair.mostMilliseconds)
    while true {
      while read(milliseconds: 0) {
        if !screen.isUpdating, isExpected(screen) { return true }
        if ContinuousClock.now > limit {
          Issue.record("The program only draws something else:\n\(screen.text)")
          return false
        }
      }
      if !screen.isUpdating, isExpected(screen) { return true }
      // The end of it is seen only when all that it wrote has been read.
      if ending != nil || !waitForMore() { return false }
    }
  }

  /// Whether nothing is written for so long, where nothing is expected.
  func isQuiet(milliseconds: Int32) -> Bool {
    !read(milliseconds: milliseconds)
  }

  func wait(for text: String) -> Bool {
    wait { $0.text.contains(text) }
  }

  /// Reads until the program is over.
  @discardableResult
  func waitForExit() -> ProcessEnding {
    while ending == nil, waitForMore() {}
    while read(milliseconds: 0) {}
    return ending ?? .killed(by: SIGKILL)
  }

  /// Reads more of what is written, or sees that the program is over. False after `hangLimit` without any of it.
  private func waitForMore() -> Bool {
    var requests = [
      pollfd(fd: pair.master, events: Int16(POLLIN), revents: 0),
      pollfd(fd: over, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&requests, 2, TerminalPair.mostMilliseconds) > 0 else {
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
    guard poll(&request, 1, milliseconds) > 0,
      case .bytes(let more) = TerminalIO.take(pair.master)
    else { return false }
    bytes += more
    screen.feed(more)
    return true
  }

  private func reap() {
    guard ending == nil else { return }
    ending = Spawner.reap(process)
  }

  /// The program, and what it started.
  private func killAll() {
    kill(-process, SIGKILL)
    kill(process, SIGKILL)
  }
}
