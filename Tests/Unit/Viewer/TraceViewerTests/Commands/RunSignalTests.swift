import SystemLibrary
import TerminalTestSupport
import TestSupport
import Testing

@Suite("Signals to trace-viewer run", .ownThread)
struct RunSignalTests {
  private let program = RunProgram()

  /// Starts the program from a shell, in its own terminal.
  private func terminal(_ script: String) throws -> PseudoTerminal {
    var variables = program.environment.compactMapValues(\.self)
    variables["LANG"] = "C.UTF-8"
    return try PseudoTerminal(
      "/bin/sh", ["-c", "cd '\(program.directory.path)'\n" + script], environment: variables,
      columns: 120)
  }

  private func count(_ text: String, in terminal: PseudoTerminal) -> Int {
    // This counts bytes, because CR LF is one character.
    terminal.bytes.ranges(of: Array(text.utf8)).count
  }

  // The child reports that it is ready. A shell's child that hasn't started its program yet would
  // still catch the signal like the shell, and then lose it.
  @Test(
    "A signal reaches the command once, and the exit code is the command's",
    arguments: ["TERM", "HUP", "INT", "USR1", "USR2"])
  func passed(signal: String) throws {
    let result = try program.shell(
      #"""
      mkfifo ready
      (read line <ready; kill -\#(signal) $$) &
      exec "$VIEWER" run -- sh -c '
        trap "kill \$!; echo got; \"$HELPER\" write 1; exit 9" \#(signal)
        sh -c "echo >ready; exec sleep 1000" &
        wait'
      """#)
    #expect(result.code == 9, "\(result)")
    #expect(result.output == "got\non: true\nno undisposed subscriptions\n")
  }

  @Test("A signal ends the command by default, and its logs are checked and removed")
  func ended() throws {
    let result = try program.shell(
      #"""
      mkfifo ready
      "$VIEWER" run -- sh -c '"$HELPER" leaks 1; echo >ready; exec sleep 1000' &
      read line <ready
      kill -TERM $!
      wait $!
      """#)
    #expect(result.code == 143, "\(result)")
    #expect(result.output.contains("1 undisposed subscription"))
    #expect(result.errors.contains("was ended by signal 15"))
  }

  @Test("The interrupt key reaches the command once")
  func interrupt() throws {
    let terminal = try terminal(
      #"""
      exec "$VIEWER" run -- sh -c 'trap "echo got" INT; (echo ready; exec cat); echo next; cat; \#
      "$HELPER" write 1; exit 9'
      """#)
    // The key ends the same process that reports that it is ready, so the key can't arrive too
    // early.
    #expect(terminal.wait(for: "ready"))
    terminal.send("\u{3}")
    #expect(terminal.wait(for: "next"))
    terminal.send("text\n\u{4}")
    #expect(terminal.waitForExit() == .exited(9))
    #expect(count("got\r", in: terminal) == 1)
    #expect(program.leftovers == [])
  }

  @Test("The interrupt key ends a command that doesn't handle it")
  func interrupted() throws {
    let terminal = try terminal(#"exec "$VIEWER" run -- sh -c 'echo ready; exec cat'"#)
    #expect(terminal.wait(for: "ready"))
    terminal.send("\u{3}")
    #expect(terminal.waitForExit() == .exited(130))
    #expect(program.leftovers == [])
  }

  @Test("The interrupt key reaches a command in another process group")
  func ownGroup() throws {
    let terminal = try terminal(
      #"exec "$VIEWER" run -- setsid sh -c 'echo ready; exec sleep 1000'"#)
    #expect(terminal.wait(for: "ready"))
    terminal.send("\u{3}")
    #expect(terminal.waitForExit() == .exited(130))
    #expect(program.leftovers == [])
  }

  // The process itself reports that it is ready. If a shell did this, the key could arrive while
  // the shell starts it with vfork and can't stop. A process that waits for input must have
  // stopped before there is input. Otherwise it might read the line for the shell and stop later.
  @Test("The stop key stops the run and its command, and a shell can continue both repeatedly")
  func stop() throws {
    let terminal = try terminal(
      #"""
      set -m
      "$VIEWER" run -- sh -c 'sh -c "echo \$\$ >number; echo ready; exec cat"; "$HELPER" write 1'
      code=$?
      while kill -0 %1 2>/dev/null; do
        until grep -q '^State:.T' /proc/$(cat number)/status; do :; done
        echo "back $code"
        read go
        fg >/dev/null
        code=$?
      done
      echo "over $code"
      """#)
    #expect(terminal.wait(for: "ready"))
    for number in 1...5 {
      terminal.send("\u{1A}")
      #expect(terminal.wait { _ in count("back 148", in: terminal) == number })
      terminal.send("\nline \(number)\n")
      // The terminal echoes the line, and cat prints it.
      #expect(terminal.wait { _ in count("line \(number)", in: terminal) == 2 })
    }
    terminal.send("\u{4}")
    #expect(terminal.wait(for: "over 0"))
    #expect(terminal.waitForExit() == .exited(0))
    #expect(program.leftovers == [])
  }

  @Test("A command that stops itself also stops the run, so the shell gets the terminal back")
  func stopItself() throws {
    let terminal = try terminal(
      #"""
      set -m
      "$VIEWER" run -- sh -c 'kill -STOP $$; echo on; "$HELPER" write 1'
      echo "back $?"
      fg >/dev/null
      echo "over $?"
      """#)
    #expect(terminal.wait(for: "over 0"))
    #expect(count("back", in: terminal) == 1)
    #expect(count("on\r", in: terminal) >= 1)
    #expect(terminal.waitForExit() == .exited(0))
  }

  @Test("A background job that reads the terminal is stopped, and a shell can continue it")
  func background() throws {
    let terminal = try terminal(
      #"""
      set -m
      "$VIEWER" run -- sh -c 'read line; echo "<$line>"; "$HELPER" write 1' &
      job=$!
      until grep -q '^State:.T' /proc/$job/status; do :; done
      echo stopped
      fg >/dev/null
      echo "over $?"
      """#)
    #expect(terminal.wait(for: "stopped"))
    terminal.send("text\n")
    #expect(terminal.wait(for: "<text>"))
    #expect(terminal.wait(for: "over 0"))
    #expect(terminal.waitForExit() == .exited(0))
    #expect(program.leftovers == [])
  }

  @Test("The command has the terminal as its input and output")
  func isTerminal() throws {
    let terminal = try terminal(
      #"""
      exec "$VIEWER" run -- sh -c 'test -t 0 && test -t 1 && test -t 2 && echo a terminal; \#
      "$HELPER" write 1'
      """#
    )
    #expect(terminal.wait(for: "a terminal"))
    #expect(terminal.waitForExit() == .exited(0))
  }
}
