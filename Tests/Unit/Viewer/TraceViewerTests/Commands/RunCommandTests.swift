import SystemLibrary
import TestSupport
import Testing

@testable import ViewerConsole

@Suite("trace-viewer run", .ownThread)
struct RunCommandTests {
  private let program = RunProgram()

  @Test("A run checks the logs of all processes together, including simultaneous ones")
  func processes() throws {
    let result = try program.run(
      #"""
      -- sh -c '"$HELPER" write 1; "$HELPER" leaks 1; "$HELPER" leaks 1 & "$HELPER" leaks 1; wait'
      """#
    )
    #expect(result.code == 1)
    #expect(result.output.hasSuffix("4 logs: 1 finding: 3 undisposed subscriptions\n"))
    #expect(result.errors.hasPrefix("Next: trace-viewer run --keep=logs -- sh -c '"))
  }

  @Test("A run checks more logs than it can keep open")
  func manyProcesses() throws {
    let loop = #"for i in 1 2 3 4 5; do for j in 1 2 3 4 5; do "$HELPER" leaks 1; done; done"#
    let result = try program.run(
      "-f text -o json:out.json -- sh -c '\(loop)'", before: "ulimit -n 25; ")
    #expect(result.code == 1)
    #expect(result.output.hasSuffix("25 logs: 1 finding: 25 undisposed subscriptions\n"))
  }

  @Test("A run checks all files of a rotated log")
  func segments() throws {
    let result = try program.run(
      #"--keep=logs -- "$HELPER" write 20000"#,
      before: "REACTIVE_TRACE_MAX_SIZE=64K REACTIVE_TRACE_WHEN_FULL=rotate ")
    #expect(result.code == 0)
    #expect(DirectoryListing.read(program.directory.path + "/logs").count > 10)
    #expect(result.output.contains("\nno undisposed subscriptions"))
  }

  @Test(
    "The exit code comes from the command if it fails, and otherwise from the check",
    arguments: [
      (#"sh -c '"$HELPER" write 1; exit 7'"#, 7), (#"sh -c '"$HELPER" leaks 1; exit 7'"#, 7),
      (#""$HELPER" leaks 1"#, 1), (#""$HELPER" write 1"#, 0), ("false", 1), ("true", 2),
      ("sh -c 'exit 255'", 255), ("sh -c 'kill -TERM $$'", 143), ("sh -c 'kill -KILL $$'", 137),
      ("nosuchcommand", 127), ("./nosuchcommand", 127), ("''", 127), (".", 127), ("./", 126),
      ("/dev/null", 126),
      // The log of a process that died proves nothing, regardless of the other logs.
      (#"sh -c '"$HELPER" tell 1 3 quick; "$HELPER" write 1'"#, 2),
      (#"sh -c '"$HELPER" tell 1 3 quick; "$HELPER" leaks 1'"#, 1),
    ])
  func exitCodes(command: String, code: Int) throws {
    let result = try program.run("-- \(command)")
    #expect(Int(result.code) == code, "\(result)")
  }

  @Test("A run without any log isn't clean, and says why nothing was checked")
  func noLogs() throws {
    let result = try program.run("-o junit:out.xml -- true")
    #expect(result.code == 2)
    #expect(result.errors.hasPrefix("Error: true: No process of this command wrote a log"))
    #expect(program.directory.text("out.xml")?.contains("errors=\"1\"") == true)
    let killed = try program.run("-- sh -c 'kill -SEGV $$'")
    #expect(killed.code == 139)
    #expect(killed.errors.contains("wrote a log before signal 11 ended it, so nothing is known"))
    let shell = try program.run("-- sh -c 'sh -c \"kill -SEGV \\$\\$\"; exit $?'")
    #expect(shell.errors.contains("before it exited with code 139, which stands for signal 11"))
  }

  @Test("A run can start scripts without an interpreter line and paths with spaces")
  func scripts() throws {
    program.directory.write("echo \"<$1> <$2>\"\nexit 4\n", to: "my script")
    chmod(program.directory.path + "/my script", 0o755)
    let relative = try program.run("-- './my script' 'a b' ''")
    #expect(relative.output == "<a b> <>\n")
    #expect(relative.code == 4)
    #expect(relative.errors.hasPrefix("Command: './my script' 'a b' '' exited with code 4.\n"))
    let searched = try program.run("-- 'my script' x", before: "PATH=\"/nonexistent::$PATH\" ")
    #expect(searched.output == "<x> <>\n")
    program.directory.write("#!/nonexistent/shell\n", to: "orphan")
    chmod(program.directory.path + "/orphan", 0o755)
    #expect(try program.run("-- ./orphan").code == 126)
    program.directory.write("text\n", to: "text")
    let denied = try program.run("-- ./text")
    #expect(denied.code == 126)
    #expect(denied.errors.contains("chmod +x"))
  }

  @Test("A run forwards input, output, errors and the environment")
  func streams() throws {
    let result = try program.run(
      #"-- sh -c 'read a; echo "$a $LANG"; echo error >&2; "$HELPER" write 1'"#,
      before: "echo input | LANG=x ")
    #expect(result.code == 0)
    #expect(result.output == "input x\non: true\nno undisposed subscriptions\n")
    #expect(result.errors == "error\n")
  }

  @Test("A run forwards the default and ignored signal actions")
  func signalActions() throws {
    // A program that writes to a closed pipe is ended by SIGPIPE.
    let pipe = try program.run(#"-- sh -c '(yes; echo "code $?" >&2) | head -n 1'"#)
    #expect(pipe.output == "y\n")
    #expect(pipe.errors.hasPrefix("code 141\n"))
    let ignored = try program.run(
      #"-- sh -c 'kill -INT $$; kill -PIPE $$; echo alive'"#, before: "trap '' INT PIPE; ")
    #expect(ignored.output == "alive\n")
  }

  @Test(
    "A machine-readable report is printed alone, and the command's output goes to standard error")
  func machineReport() throws {
    for option in ["-f json", "-o json:-"] {
      let result = try program.run(#"\#(option) -- sh -c 'echo hello; "$HELPER" leaks 1'"#)
      #expect(result.code == 1)
      #expect(result.output.hasPrefix("{\n"))
      #expect(!result.output.contains("hello"))
      #expect(result.errors == "hello\n")
    }
    let text = try program.run(#"-o json:out.json -- sh -c 'echo hello; "$HELPER" leaks 1'"#)
    #expect(text.output.hasPrefix("hello\n\nFINDINGS\nerror[undisposed]"))
  }

  @Test("Every run writes the same baseline, and no report contains the temporary folder")
  func baseline() throws {
    let leaks = #"sh -c '"$HELPER" leaks 1; "$HELPER" leaks 1'"#
    for name in ["a", "b"] {
      #expect(try program.run("--baseline=\(name).json --write-baseline -- \(leaks)").code == 0)
    }
    let written = program.directory.text("a.json")
    #expect(written?.contains("\"count\": 2") == true)
    #expect(program.directory.text("b.json") == written)
    #expect(try program.run("--baseline=a.json -- \(leaks)").code == 0)
    #expect(try program.run(#"--baseline=a.json -- "$HELPER" leaks 1"#).code == 1)
    for format in ["json", "junit", "sarif", "gitlab", "markdown"] {
      let report = try program.run("-f \(format) -- \(leaks)")
      #expect(report.code == 1)
      #expect(!report.output.contains(program.temporary), "\(format)")
    }
  }

  @Test("A failed run doesn't make a known finding stale")
  func failedRun() throws {
    #expect(try program.run(#"--baseline=a --write-baseline -- "$HELPER" leaks 1"#).code == 0)
    let known = program.directory.text("a")
    let failed = try program.run(
      #"--baseline=a --prune-baseline -- sh -c '"$HELPER" write 1; exit 3'"#)
    #expect(failed.code == 3)
    #expect(!failed.output.contains("stale"))
    #expect(failed.errors.contains("a command that failed does not prove that a finding is gone"))
    #expect(program.directory.text("a") == known)
  }

  @Test("A run can keep the logs in a folder and shows how to open them")
  func keep() throws {
    let result = try program.run(
      #"--keep='my logs' -- sh -c '"$HELPER" write 1; "$HELPER" write 2'"#)
    #expect(result.code == 0)
    #expect(
      result.errors
        == """
        Logs: 2 files in '\(program.directory.path)/my logs'. To look at them: trace-viewer \
        '\(program.directory.path)/my logs'\n
        """
    )
    let again = try program.shell(#""$VIEWER" check 'my logs'"#)
    #expect(again.output == "2 logs: no undisposed subscriptions\n")
    let leak = try program.run(#"--keep=leaks -- "$HELPER" leaks 1"#)
    let place = try #require(leak.output.firstMatch(of: /(leaks\/[^ :]+\.jsonl):\d+  next at/))
    #expect(try program.shell("test -f '\(place.1)'").code == 0)
    #expect(leak.errors.contains("Next: trace-viewer explain leaks a23j9t prints"))
    let mixed = try program.run(#"--keep='my logs' -- sh -c 'echo ran'"#)
    #expect(mixed.code == 64)
    #expect(mixed.output == "")
  }

  @Test("A program can choose its own log path, and a run warns if it overrides the caller's path")
  func otherPaths() throws {
    let own = try program.run(
      #"-- sh -c 'REACTIVE_TRACE=own "$HELPER" leaks 1; "$HELPER" write 1'"#)
    #expect(own.code == 0)
    #expect(program.directory.text("own")?.contains("\"event\":\"end\"") == true)
    let outer = try program.run(#"-- "$HELPER" write 1"#, before: "REACTIVE_TRACE=outer ")
    #expect(outer.code == 0)
    #expect(outer.errors.hasPrefix("Warning: REACTIVE_TRACE is set to 'outer'"))
    #expect(program.directory.text("outer") == nil)
  }

  @Test("A run with --all traces unnamed subscriptions")
  func all() throws {
    #expect(try program.run(#"-- "$HELPER" unnamed"#).code == 0)
    let all = try program.run(#"--all -- "$HELPER" unnamed"#)
    #expect(all.code == 1)
    // Reading lines takes longer than its limit under a sanitizer. Then the place is a function.
    #expect(all.output.contains(isSanitized ? "Situations" : "Situations.swift"))
  }

  @Test("A run checks the log of a process that is still running and doesn't wait for it to exit")
  func running() throws {
    let result = try program.shell(
      #"""
      mkfifo pipe
      exec 3<>pipe
      "$VIEWER" run -- sh -c '"$HELPER" busy 1 >pipe & echo $! >pid; head -c 5 pipe >/dev/null'
      code=$?
      kill -KILL $(cat pid)
      exit $code
      """#)
    #expect(result.code == 2, "\(result)")
    #expect(result.errors.contains("The process is still running."))
  }

  @Test("A run removes its folder and returns the command's code even if nobody reads the report")
  func noReader() throws {
    #expect(try program.run(#"-- sh -c '"$HELPER" leaks 1; exit 3' >&-"#).code == 3)
    #expect(try program.run(#"-- sh -c '"$HELPER" leaks 1 >/dev/null' >/dev/full"#).code == 1)
    let closed = try program.shell(
      #"""
      ("$VIEWER" run -- sh -c 'exec >&-; "$HELPER" leaks 1; exit 3'; echo $? >code) | true; cat code
      """#
    )
    #expect(closed.output == "3\n")
  }

  @Test("A run that can't create a folder for logs is an error")
  func noFolder() throws {
    let result = try program.run("-- echo ran", before: "TMPDIR=/nonexistent ")
    #expect(result.code == 74)
    #expect(result.output == "")
    #expect(result.errors.contains("Set TMPDIR"))
  }
}
