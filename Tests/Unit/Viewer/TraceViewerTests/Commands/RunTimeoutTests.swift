#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @testable import ViewerConsole

  @Suite(
    "Time limits of trace-viewer run", .ownThread,
    .enabled(if: !isSanitized, "reading the names of a sanitized program takes seconds"))
  struct RunTimeoutTests {
    private let program = RunProgram()

    @Test("A command that prints nothing for too long is ended, with a report and code 124")
    func silent() throws {
      let result = try program.run("--timeout 2s -- sh -c 'echo on; exec sleep 1000'")
      #expect(result.code == 124, "\(result)")
      #expect(result.output.hasPrefix("on\n"))
      #expect(result.errors.contains("printed nothing for 2 s"), "\(result.errors)")
      #expect(result.errors.contains(/\n\nOther processes: sleep \(\d+\)\n/), "\(result.errors)")
    }

    @Test(
      "Output of the command starts the time anew, also that of processes that nobody waits for",
      arguments: ["echo $n", "(echo $n &)", "trap \"\" CHLD; /bin/echo $n"])
    func talking(words: String) throws {
      let script = "for n in 1 2 3 4 5 6; do \(words); sleep 0.7; done"
      let result = try program.run("--timeout 3s -- sh -c '\(script)'")
      #expect(result.code == 0, "\(result)")
      #expect(result.output == "1\n2\n3\n4\n5\n6\n")
    }

    @Test("A command with a run loop that prints nothing is ended, although it wakes itself")
    func waking() throws {
      let result = try program.run("--timeout 2s -- \"$HELPER\" wakes")
      #expect(result.code == 124, "\(result)")
      #expect(result.errors.contains("printed nothing for 2 s"), "\(result.errors)")
    }

    @Test("Output of a command with a run loop starts the time anew")
    func wakingAndTalking() throws {
      let result = try program.run("--timeout 3s -- \"$HELPER\" wakes 8")
      #expect(result.code == 0, "\(result)")
      #expect(result.output == (1...8).map { "event \($0)\n" }.joined())
    }

    @Test("What a process writes to other files, or to its own pipe, isn't output of the command")
    func otherFiles() throws {
      let script = "exec > /dev/null 2>&1; while :; do echo some text; sleep 0.1; done"
      let result = try program.run(
        "--timeout 2s -- sh -c '(\(script)) & exec sleep 1000'")
      #expect(result.code == 124, "\(result)")
    }

    @Test("A silent command is ended if the standard streams are closed")
    func closedStreams() throws {
      let result = try program.run("--timeout 2s -- sleep 1000 >&- 2>&-")
      #expect(result.code == 124, "\(result)")
    }

    @Test("The total time limit ends a command that prints all the time, and all its processes")
    func total() throws {
      let result = try program.run(
        "--total-timeout 500ms -- sh -c 'trap \"\" TERM; while :; do echo; sleep 0.05; done | cat'"
      )
      #expect(result.code == 124, "\(result.code)")
      #expect(result.errors.contains("took longer than 500 ms"))
    }

    @Test("A hang of a Swift program has its function and line in the report")
    func line() throws {
      let result = try program.run("--total-timeout 3s -f json -- \"$HELPER\" lock-order")
      #expect(result.code == 124, "\(result)")
      let root = try #require(
        JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
      #expect(root["outcome"] as? String == "hang" && root["exitCode"] as? Int == 124)
      let hangs = try #require(root["hangs"] as? [[String: Any]])
      #expect(hangs.count == 1)
      #expect((hangs[0]["function"] as? String)?.hasPrefix("static LockedThreads.take") == true)
      #expect((hangs[0]["path"] as? String)?.hasSuffix("LockedThreads.swift") == true)
      #expect((hangs[0]["details"] as? String)?.contains("wait for each other") == true)
    }

    @Test(
      "Every format contains the hang", arguments: CheckFormat.allCases)
    func formats(format: CheckFormat) throws {
      let result = try program.run(
        "--total-timeout 500ms -o \(format.name):found -- \"$HELPER\" lock-order")
      #expect(result.code == 124)
      let text = program.directory.text("found") ?? ""
      switch format {
      case .text: #expect(text == "" || text.contains("hang"))
      case .junit:
        #expect(text.contains("<failure type=\"hang\""))
        #expect(text.contains("name=\"hangs\""))
      default: #expect(text.contains("took longer than 500 ms"), "\(text)")
      }
    }

    @Test("SIGQUIT prints a report, and the command continues")
    func quit() throws {
      let result = try program.shell(
        #"""
        mkfifo ready gate
        (read line <ready; kill -QUIT $$
        until grep -q "is running" errors; do sleep 0.05; done; cat errors >&2; echo >gate) &
        exec "$VIEWER" run --timeout 1m -- \
          sh -c 'echo >ready; read line <gate; echo over' 2>errors
        """#)
      #expect(result.code == 0, "\(result)")
      #expect(result.output == "over\n")
      #expect(result.errors.contains("is running."), "\(result.errors)")
    }

    @Test("A command without a log is all right with a time limit, and inconclusive without one")
    func noLog() throws {
      #expect(try program.run("--timeout 1m -- true").code == 0)
      #expect(try program.run("-- true").code == 2)
    }

    @Test(
      "A wrong time is a usage error",
      arguments: ["--timeout=0", "--timeout=x", "--total-timeout=-1", "--timeout="])
    func wrongTime(option: String) {
      #expect(run("run", option, "--", "true").code == .usage)
    }
  }

  @Suite("trace-viewer tasks")
  struct TasksCommandTests {
    @Test("A process that doesn't exist, and a word that isn't a number, are errors")
    func errors() {
      let missing = run("tasks", "2147483647")
      #expect(missing.code == .cannotInspect)
      #expect(missing.error.contains("No process has the number 2147483647."))
      for word in ["app", "-1", "0", "99999999999"] {
        let result = run("tasks", "--", word)
        #expect(result.code == .usage)
        #expect(result.error.contains("'\(word)' is neither the number of a process"))
      }
      #expect(run("tasks").code == .usage)
    }

    @Test("Other processes are shown even if one doesn't exist")
    func several() throws {
      try ChildProcess(BuiltProgram.path(of: "TraceWriterHelper"), ["lock-order"]).inspect(
        afterBytes: 8
      ) { process in
        let result = run("tasks", "2147483647", "\(process)", "-f", "json")
        #expect(result.code == .cannotInspect)
        #expect(result.out.contains("\"pid\":\(process),"))
        #expect(result.error.contains("2147483647"))
      }
    }
  }
#endif
