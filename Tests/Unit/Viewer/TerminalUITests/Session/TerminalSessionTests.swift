import SystemLibrary
import TerminalTestSupport
import TestSupport
import Testing

@testable import TerminalUI

/// Tests in this process, which run serially because it has one set of signal handlers.
@Suite("TerminalSession", .serialized, .ownThread)
struct TerminalSessionTests {
  struct Stop: Error {}

  @Test("A session sets up the terminal and restores it at the end")
  func restores() throws {
    let terminal = try TerminalPair(columns: 90, rows: 30)
    let before = terminal.attributes
    let result = try TerminalSession.run(input: terminal.slave, output: terminal.slave) {
      (session) throws in
      #expect(terminal.attributes.isRaw)
      #expect(session.size() == (90, 30))
      session.setMouse(true)
      session.write(Array("drawn".utf8))
      let screen = shown(terminal.read())
      #expect(screen.isAlternate && screen.bracketsPastes && screen.reportsMouse)
      #expect(!screen.isCursorShown && !screen.wraps)
      #expect(screen.lines[0] == "drawn")
      return 7
    }
    #expect(result == 7)
    #expect(terminal.attributes == before)
    #expect(shown(terminal.read()).modes == [7, 25])
  }

  @Test("Every mode that was turned on is turned off at the end")
  func balance() throws {
    let terminal = try TerminalPair()
    try TerminalSession.run(input: terminal.slave, output: terminal.slave) { (session) throws in
      session.setMouse(true)
      session.write(Array((ScreenDiff.beginUpdate + "\u{1B}[1;31mhalf").utf8))
    }
    let screen = shown(terminal.read())
    #expect(screen.unknown == [])
    #expect(screen.modes == [7, 25])
    #expect(screen.look == EmulatedLook())
    #expect(!screen.isAlternate)
    #expect(screen.lines == Array(repeating: "", count: 24))
  }

  @Test("A closure that throws still restores the terminal")
  func throwing() throws {
    let terminal = try TerminalPair()
    let before = terminal.attributes
    #expect(throws: Stop.self) {
      try TerminalSession.run(input: terminal.slave, output: terminal.slave) { _ in throw Stop() }
    }
    #expect(terminal.attributes == before)
    #expect(!shown(terminal.read()).isAlternate)
  }

  @Test("The terminal can be lent to another program, and mouse input is turned on again afterward")
  func lends() throws {
    let terminal = try TerminalPair()
    let before = terminal.attributes
    try TerminalSession.run(input: terminal.slave, output: terminal.slave) { (session) throws in
      session.setMouse(true)
      for _ in 0..<2 {
        session.leave()
        session.leave()
        #expect(terminal.attributes == before)
        #expect(shown(terminal.read()).modes == [7, 25])
        try session.enter()
        try session.enter()
        #expect(terminal.attributes.isRaw)
        let screen = shown(terminal.read())
        #expect(screen.isAlternate && screen.reportsMouse)
      }
      session.leave()
    }
    #expect(terminal.attributes == before)
    #expect(shown(terminal.read()).modes == [7, 25])
  }

  @Test("Resizing and continuing are reported as signals")
  func signals() throws {
    let terminal = try TerminalPair()
    let before = terminal.attributes
    try TerminalSession.run(input: terminal.slave, output: terminal.slave) { (session) throws in
      #expect(try session.takeSignals() == [])
      _ = terminal.read()
      terminal.resize(columns: 40, rows: 10)
      session.sendToProcess(SIGWINCH)
      #expect(try session.takeSignals() == [.resized])
      #expect(session.size() == (40, 10))
      // A shell may leave the terminal like this after continuing the process.
      var attributes = before.value
      tcsetattr(terminal.slave, TCSANOW, &attributes)
      session.sendToProcess(SIGCONT)
      #expect(try session.takeSignals() == [.continued])
      #expect(terminal.attributes.isRaw)
      #expect(shown(terminal.read()).isAlternate)
    }
    #expect(terminal.attributes == before)
  }

  @Test("Keys are read immediately, and a closed terminal is reported")
  func reads() throws {
    var terminal: TerminalPair? = try TerminalPair()
    let slave = dup(try #require(terminal).slave)
    defer { close(slave) }
    try TerminalSession.run(input: slave, output: slave) { (session) throws in
      terminal?.send([0x03, 0x1A, 0x0D])
      #expect(session.read() == .bytes([0x03, 0x1A, 0x0D]))
      #expect(!session.hasEnded)
      terminal = nil
      #expect(session.read() == .ended)
      #expect(session.hasEnded)
      session.write([0x61])
    }
  }

  @Test("A session requires a terminal, and only one session can run")
  func refuses() throws {
    let terminal = try TerminalPair()
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    let refused = #expect(throws: TerminalError.self) {
      try TerminalSession.run(input: ends[0], output: ends[1]) { _ in }
    }
    #expect(refused?.code == .refused)
    try TerminalSession.run(input: terminal.slave, output: terminal.slave) { (_) throws in
      let busy = #expect(throws: TerminalError.self) {
        try TerminalSession.run(input: terminal.slave, output: terminal.slave) { _ in }
      }
      #expect(busy?.code == .busy)
      #expect(terminal.attributes.isRaw)
    }
  }

  private func shown(_ bytes: [UInt8]) -> EmulatedScreen {
    var screen = EmulatedScreen(columns: 80, rows: 24)
    screen.feed(bytes)
    return screen
  }
}

extension TerminalSession {
  /// Sends a signal to this process and waits until it arrives. Test threads block signals, so
  /// another thread receives it.
  func sendToProcess(_ number: Int32) {
    kill(getpid(), number)
    var request = pollfd(fd: signalDescriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&request, 1, TerminalPair.maxMilliseconds)
  }
}
