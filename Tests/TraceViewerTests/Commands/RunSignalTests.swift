import SystemLibrary
import TestSupport
import Testing

@testable import TerminalUI

@Suite("Signals to trace-viewer run", .ownThread)
struct RunSignalTests {
  private let program = RunProgram()

  /// Starts the program in a terminal of its own, from a shell.
  private func terminal(_ script: String) throws -> PseudoTerminal {
    var variables = program.environment.compactMapValues(\.self)
    variables["LANG"] = "C.UTF-8"
    return try PseudoTerminal(
      "/bin/sh", ["-c", "cd '\(program.directory.path)'\n" + script], environment: variables,
      columns: 120)
  }

  private func count(_ text: String, in terminal: PseudoTerminal) -> Int {
    // Not characters: a line end is a single one.
    terminal.bytes.ranges(of: Array(text.utf8)).count
  }

  // The child says that it is ready: a shell's child that has not begun its program yet catches the
  // signal as the shell does, and then forgets it.
  @Test(
    "A signal reaches the command once, and the exit code is the command's",
    arguments: ["TERM", "HUP", "INT", "QUIT", "USR1", "USR2"])
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
      exec "$VIEWER" run -- sh -c 'trap "echo got" INT; (echo ready; exec cat); echo next; cat; "$HELPER" write 1; exit 9'
      """#)
    // The process that says so is the one that the key ends, so no key comes too early.
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

  // A process that says so itself is ready. A shell that is about to start one with vfork is not: it
  // could not stop if the key came now. And a process that waits for input has to have stopped before
  // there is some, or it may take the line that is meant for the shell, and stop then.
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
      // The terminal shows it once, and cat once more.
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
      #"exec "$VIEWER" run -- sh -c 'test -t 0 && test -t 1 && test -t 2 && echo a terminal; "$HELPER" write 1'"#
    )
    #expect(terminal.wait(for: "a terminal"))
    #expect(terminal.waitForExit() == .exited(0))
  }
}
