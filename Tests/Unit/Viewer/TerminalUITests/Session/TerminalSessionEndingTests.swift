import SystemLibrary
import TerminalTestSupport
import TestSupport
import Testing

@testable import TerminalUI

// Swift 6.2 has exit tests, but not with values from the test.
#if compiler(>=6.3)
  /// Tests that each end a separate process during a session.
  @Suite("TerminalSession when the process ends", .ownThread)
  struct TerminalSessionEndingTests {
    @Test(
      "A signal restores the terminal and ends the process",
      arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
    func deadly(number: Int32) async throws {
      let terminal = try TerminalPair()
      let before = terminal.attributes
      await #expect(processExitsWith: .signal(number)) {
        [path = terminal.path as String, number = number as Int32] in
        try ChildSession.run(path) { session in
          session.sendToProcess(number)
          guard try session.takeSignals() == [.interrupted(number)] else { exit(9) }
        }
      }
      expectRestored(terminal, before)
    }

    @Test(
      "A crash restores the terminal and ends the process",
      arguments: [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE])
    func crash(number: Int32) async throws {
      let terminal = try TerminalPair()
      let before = terminal.attributes
      let end: ExitTest.Condition = isSanitized ? .failure : .signal(number)
      await #expect(processExitsWith: end) {
        [path = terminal.path as String, number = number as Int32] in
        try ChildSession.run(path) { _ in
          if number == SIGABRT { abort() }
          raise(number)
        }
      }
      expectRestored(terminal, before)
    }

    @Test("A Swift trap restores the terminal")
    func trap() async throws {
      let terminal = try TerminalPair()
      let before = terminal.attributes
      await #expect(processExitsWith: .failure) { [path = terminal.path as String] in
        try ChildSession.run(path) { _ in preconditionFailure("meant to") }
      }
      expectRestored(terminal, before)
    }

    @Test("Exiting restores the terminal")
    func exits() async throws {
      let terminal = try TerminalPair()
      let before = terminal.attributes
      await #expect(processExitsWith: .exitCode(3)) { [path = terminal.path as String] in
        try ChildSession.run(path) { _ in exit(3) }
      }
      expectRestored(terminal, before)
    }

    @Test(
      "Stopping restores the terminal, and continuing takes it over again",
      arguments: [false, true])
    func suspends(fromOutside: Bool) async throws {
      let terminal = try TerminalPair()
      let before = terminal.attributes
      let path = terminal.path
      // A child task would need the thread of this test, which waits for the process.
      let ended = Task.detached {
        await #expect(processExitsWith: .exitCode(5)) {
          [path = path as String, fromOutside = fromOutside as Bool] in
          // A process group that a parent in the same session can continue, and that doesn't
          // include the test.
          setpgid(0, 0)
          try ChildSession.run(path) { session in
            session.write(Array("<\(getpid())>".utf8))
            if fromOutside {
              session.sendToProcess(SIGTSTP)
              guard try session.takeSignals() == [.continued] else { exit(9) }
            } else {
              try session.suspend()
              guard try session.takeSignals() == [] else { exit(9) }
            }
            session.write(Array("again".utf8))
            exit(5)
          }
        }
      }
      let text = String(
        decoding: terminal.read { $0.suffix(8) == Array("\u{1B}[?1049l".utf8).suffix(8) },
        as: UTF8.self)
      let number = text.split(separator: "<").last?.split(separator: ">").first.flatMap {
        Int32($0)
      }
      let process = try #require(number)
      var information = siginfo_t()
      #expect(waitid(P_PID, id_t(process), &information, WSTOPPED | WNOWAIT) == 0)
      #expect(terminal.attributes == before)
      kill(process, SIGCONT)
      _ = await ended.value
      let after = String(decoding: terminal.read(), as: UTF8.self)
      #expect(after.hasPrefix("\u{1B}[?1049h"))
      #expect(after.contains("again"))
      #expect(after.hasSuffix("\u{1B}[?1049l"))
      #expect(terminal.attributes == before)
    }

    private func expectRestored(_ terminal: TerminalPair, _ before: TerminalAttributes) {
      #expect(terminal.attributes == before)
      let bytes = terminal.read()
      var screen = EmulatedScreen(columns: 80, rows: 24)
      screen.feed(bytes)
      // The session had taken over the terminal.
      #expect(bytes.starts(with: Array("\u{1B}[?1049h".utf8)))
      #expect(!screen.isAlternate)
      #expect(screen.modes == [7, 25])
    }
  }

  /// A session on a terminal of another process.
  private enum ChildSession {
    static func run(_ path: String, _ body: (TerminalSession) throws -> Void) throws {
      ProcessLimits.endSomeTime()
      let descriptor = open(path, O_RDWR | O_NOCTTY)
      try TerminalSession.run(input: descriptor, output: descriptor, body)
    }
  }
#endif
