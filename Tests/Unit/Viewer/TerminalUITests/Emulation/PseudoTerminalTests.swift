import SystemLibrary
import TerminalTestSupport
import TestSupport
import Testing

@Suite("PseudoTerminal", .ownThread)
struct PseudoTerminalTests {
  @Test("The output and the exit code of a program are available")
  func output() throws {
    let terminal = try shell("test -t 0 && test -t 1 && test -t 2 && echo a terminal; exit 3")
    #expect(terminal.wait(for: "a terminal"))
    #expect(terminal.waitForExit() == .exited(3))
    #expect(terminal.screen.lines[0] == "a terminal")
  }

  @Test("All output before the exit is shown")
  func lastWords() throws {
    let terminal = try shell("i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done")
    #expect(terminal.waitForExit() == .exited(0))
    #expect(terminal.screen.lines.suffix(2) == ["line 2999", ""])
    #expect(terminal.bytes.count > 20_000)
  }

  @Test("Waiting for text that never appears fails")
  func neverCame() throws {
    let terminal = try shell("echo other")
    #expect(!terminal.wait(for: "this"))
    #expect(terminal.waitForExit() == .exited(0))
  }

  @Test("Sent keys reach the program, including control keys")
  func keys() throws {
    let terminal = try shell("echo ready; read name; echo \"<$name>\"; read name")
    #expect(terminal.wait(for: "ready"))
    terminal.send("me\r")
    #expect(terminal.wait(for: "<me>"))
    terminal.send("\u{3}")
    #expect(terminal.waitForExit() == .killed(by: SIGINT))
  }

  @Test("The program can read the size of the terminal and is notified of changes")
  func size() throws {
    let terminal = try shell(
      "trap 'stty size </dev/tty; exit 0' WINCH; stty size; while :; do read x; done",
      columns: 91, rows: 17)
    #expect(terminal.wait(for: "17 91"))
    terminal.resize(columns: 60, rows: 10)
    #expect(terminal.wait(for: "10 60"))
    #expect(terminal.waitForExit() == .exited(0))
  }

  @Test("The program gets its environment and TERM")
  func environment() throws {
    let terminal = try shell("echo \"$A $TERM\"", environment: ["A": "b c"])
    #expect(terminal.wait(for: "b c xterm-256color"))
  }

  @Test("Signals reach the program, and the signal that ended it is available")
  func signals() throws {
    let terminal = try shell("echo ready; read x")
    #expect(terminal.wait(for: "ready"))
    terminal.signal(SIGTERM)
    #expect(terminal.waitForExit() == .killed(by: SIGTERM))
  }

  @Test("The attributes that a program sets are available")
  func attributes() throws {
    let terminal = try shell("stty raw -echo; echo raw; read x")
    #expect(terminal.wait(for: "raw"))
    #expect(terminal.attributes.isRaw)
  }

  @Test("A shell can stop and continue a program")
  func jobs() throws {
    let terminal = try shell("set -m; cat; echo stopped; fg; echo over")
    terminal.send("a\r")
    #expect(terminal.wait { $0.lines.prefix(2) == ["a", "a"] })
    terminal.send("\u{1A}")
    #expect(terminal.wait(for: "stopped"))
    terminal.send("b\r\u{4}")
    #expect(terminal.wait(for: "over"))
    #expect(terminal.waitForExit() == .exited(0))
  }

  private func shell(
    _ script: String, environment: [String: String] = [:], columns: Int = 80, rows: Int = 24
  ) throws -> PseudoTerminal {
    try PseudoTerminal(
      "/bin/sh", ["-c", script], environment: environment, columns: columns, rows: rows)
  }
}
