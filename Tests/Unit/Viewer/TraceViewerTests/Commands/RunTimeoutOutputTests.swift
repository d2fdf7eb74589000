#if os(Linux)
  import SystemLibrary
  import TestSupport
  import Testing

  @Suite(
    "Output of a command with a time limit", .ownThread,
    .enabled(if: !isSanitized, "reading the names of a sanitized program takes seconds"))
  struct RunTimeoutOutputTests {
    private let program = RunProgram()

    /// A shell script that prints the numbers of the relays of the run that is its argument.
    private static let relays = #"""
      for file in $(grep -lx "PPid:.$1" /proc/[0-9]*/status 2>/dev/null); do
        grep -qx "Name:.trace-relay" $file 2>/dev/null || continue
        file=${file%/status}
        echo ${file#/proc/}
      done
      """#

    /// Prints for longer than the time limit of three seconds, in pieces.
    private static let talk = "for n in 1 2 3 4 5 6; do echo $n; sleep 0.7; done"

    init() {
      program.directory.write(Self.relays, to: "relays")
    }

    // MARK: What is noticed

    @Test("A command that only writes to another file is ended")
    func otherFile() throws {
      let script = "while :; do echo some text >>file; sleep 0.1; done"
      let result = try program.run("--timeout 2s -- sh -c '\(script)'")
      #expect(result.code == 124, "\(result)")
      #expect(result.errors.contains("printed nothing for 2 s"))
    }

    @Test("The report names the continuation that leaked last, according to the output")
    func leakedContinuation() throws {
      let script = #"""
        for name in "first()" "second(of:)"; do
          printf "some text\nSWIFT TASK CONTINUATION MISUSE: " >&2
          echo "$name leaked its continuation without resuming it. This may cause" >&2
        done
        sleep 100
        """#
      program.directory.write(script, to: "script")
      let result = try program.run("--timeout 2s -- sh script 2>&1 >/dev/null | cat >&2")
      #expect(
        result.errors.contains("The Swift runtime printed: second(of:) leaked its continuation."),
        "\(result)")
      #expect(!result.errors.contains("printed: first()"))
    }

    @Test(
      "Output to one stream starts the time anew if the other one is a file, closed or silent",
      arguments: ["2>file", ">file", ">&-", "2>&-", ">/dev/null", "2>/dev/null"])
    func oneStream(redirection: String) throws {
      let stream = redirection.hasPrefix("2") ? "" : ">&2"
      let result = try program.run(
        "--timeout 3s -- sh -c '(\(Self.talk)) \(stream)' \(redirection)")
      #expect(result.code == 0, "\(result)")
      let output = redirection.hasPrefix("2") ? result.output : result.errors
      #expect(output.hasPrefix("1\n2\n3\n4\n5\n6\n"))
    }

    @Test(
      "Output to a file or to the null device starts the time anew",
      arguments: [">file 2>&1", ">/dev/null 2>&1", ">file 2>/dev/null"])
    func notRead(redirection: String) throws {
      let result = try program.run("--timeout 3s -- sh -c '\(Self.talk)' \(redirection)")
      #expect(result.code == 0, "\(result)")
    }

    @Test("Output that goes to standard error because of the format starts the time anew")
    func toErrors() throws {
      let result = try program.run("--timeout 3s -f json -- sh -c '\(Self.talk)'")
      #expect(result.code == 0, "\(result)")
      #expect(result.errors == "1\n2\n3\n4\n5\n6\n")
      #expect(result.output.hasPrefix("{"))
    }

    @Test("Output to a socket starts the time anew, and arrives completely")
    func socket() throws {
      let script = "\(Self.talk); head -c 3000000 /dev/zero"
      let (ending, output, errors) = try ChildProcess(
        BuiltProgram.path, ["run", "--timeout", "3s", "--", "sh", "-c", script],
        environment: program.environment, streams: .nonBlockingSockets
      ).finish()
      #expect(ending == .exited(0))
      #expect(output.starts(with: Array("1\n2\n3\n4\n5\n6\n".utf8)))
      #expect(output.count == 3_000_012 && !output.dropFirst(12).contains { $0 != 0 })
      #expect(errors == [])
    }

    @Test("A command that waits for a slow reader isn't ended")
    func slowlyRead() throws {
      let result = try program.shell(
        #"""
        { "$VIEWER" run --timeout 2s -- head -c 300000 /dev/zero; echo $? >code; } \
        | { for n in 1 2 3 4 5 6 7 8; do head -c 8192; sleep 0.5; done; cat; } >file
        wc -c <file
        cat code
        """#)
      #expect(result.output == "300000\n0\n", "\(result)")
    }

    // MARK: What arrives

    @Test("Large output arrives unchanged")
    func large() throws {
      let result = try program.shell(
        #"""
        head -c 20000000 /dev/urandom >file
        "$VIEWER" run --timeout 1m -- cat file | cmp - file && echo same
        """#)
      #expect(result.output == "same\n", "\(result)")
    }

    @Test("Output and errors to the same pipe keep their order, and messages of the run follow")
    func order() throws {
      let result = try program.shell(
        #"""
        for run in 1 2 3; do
          "$VIEWER" run --timeout 1m -- sh -c '
            for n in 1 2 3 4 5 6 7 8 9; do echo out $n; echo error $n >&2; done
            head -c 300000 /dev/zero | tr "\0" x; echo; exit 3' 2>&1 | grep -v xxx
        done
        """#)
      let lines = (1...9).flatMap { ["out \($0)", "error \($0)"] }
      let runs = result.output.split(separator: "Command:")
      #expect(runs.first.map { $0.split(separator: "\n").map(String.init) } == lines)
      // Each message follows the output of its run.
      #expect(runs.count == 4, "\(result)")
      let last = try #require(runs.last)
      #expect(last.hasSuffix("exited with code 3.\n"), "\(last)")
    }

    @Test("Messages of the run wait for a slow reader")
    func slowReader() throws {
      let result = try program.shell(
        #"""
        "$VIEWER" run --timeout 1m -- sh -c '
          echo $$ >number; head -c 150000 /dev/zero; exit 3' 2>errors \
        | {
          head -c 60000 >/dev/null
          while kill -0 $(cat number) 2>/dev/null; do sleep 0.05; done
          sleep 0.5
          test -s errors && echo early
          cat >/dev/null
        }
        cat errors >&2
        """#)
      #expect(result.output == "", "\(result)")
      #expect(result.errors.hasSuffix("exited with code 3.\n"))
    }

    @Test("A run ends although a process of its command continues to write")
    func endlessOrphan() throws {
      let result = try program.shell(
        #"""
        { "$VIEWER" run --timeout 1m -- sh -c 'yes & exit 3'; echo $? >code; } \
        | until test -s code; do head -c 100000 >/dev/null; done
        cat code
        """#)
      #expect(result.output == "3\n", "\(result)")
    }

    @Test("A run ends although nobody reads the last output of its command")
    func noReader() throws {
      let result = try program.shell(
        #"""
        { "$VIEWER" run --timeout 1s -- sh -c 'head -c 100000 /dev/zero; exit 3'; echo $? >code; } \
        | until test -s code; do sleep 0.05; done
        cat code
        """#)
      #expect(result.output == "3\n", "\(result)")
    }

    @Test("Output of a process that outlives the run arrives")
    func lateOutput() throws {
      let result = try program.shell(
        #"""
        mkfifo gate
        "$VIEWER" run --timeout 1m -- sh -c '(read line <gate; echo late) & echo early'
        echo over
        echo >gate
        """#)
      #expect(result.output == "early\nover\nlate\n", "\(result)")
    }

    @Test("Output arrives although the run was killed")
    func killedRun() throws {
      let result = try program.shell(
        #"""
        mkfifo ready gate
        "$VIEWER" run --timeout 1m -- sh -c 'echo >ready; read line <gate; echo late' &
        read line <ready
        kill -KILL $!
        wait $!
        echo $?
        echo >gate
        rm -r tmp/trace-viewer-*
        """#)
      #expect(result.output == "137\nlate\n", "\(result)")
    }

    @Test("The last output of a command that a signal ends arrives")
    func signal() throws {
      let result = try program.shell(
        #"""
        mkfifo ready
        (read line <ready; kill -TERM $$) &
        exec "$VIEWER" run --timeout 1m -- sh -c '
          trap "kill \$!; head -c 100000 /dev/zero | tr \"\\0\" x; echo got; exit 9" TERM
          sh -c "echo >ready; exec sleep 1000" &
          wait' 2>&1
        """#)
      #expect(result.code == 9, "\(result.code)")
      let rest = result.output.drop { $0 == "x" }
      #expect(rest.hasPrefix("got\nCommand: sh -c"), "\(rest)")
    }

    @Test("A run of a run has the output and the exit code of the command")
    func runOfRun() throws {
      let result = try program.shell(
        #"""
        "$VIEWER" run --timeout 1m -- "$VIEWER" run --timeout 1m -- sh -c 'echo on; exit 3'
        """#)
      #expect(result.code == 3, "\(result)")
      #expect(result.output == "on\n")
    }

    @Test("A run that runs a hanging command is ended, and its relays aren't reported")
    func hangingRun() throws {
      let result = try program.run(
        "--timeout 2s -- \"$VIEWER\" run --timeout 1m -- sh -c 'echo on; exec sleep 1000'")
      #expect(result.code == 124, "\(result)")
      #expect(result.output == "on\n")
      // The other run, and the command.
      #expect(result.errors.ranges(of: "PROCESS ").count == 1, "\(result)")
      #expect(result.errors.contains(/\n\nOther processes: sleep \(\d+\)\n/), "\(result)")
    }

    // MARK: The reader

    @Test("A command whose reader has ended gets a signal, and the run ends")
    func closedReader() throws {
      let result = try program.shell(
        #"""
        { "$VIEWER" run --timeout 1m -- yes; echo $? >&2; } | head -n 1
        """#)
      #expect(result.output == "y\n")
      #expect(result.errors.hasSuffix("\n141\n"), "\(result)")
    }

    @Test("A silent command whose reader has ended can't write anymore")
    func closedForSilent() throws {
      let result = try program.shell(
        #"""
        "$VIEWER" run --timeout 1m -- sh -c '
          trap "" PIPE
          while test -n "$(sh relays $PPID)"; do :; done
          echo text || echo failed >result' 2>errors | true
        cat result
        """#)
      // The relay of the errors, which are a file, doesn't exist.
      #expect(result.output == "failed\n", "\(result)")
    }

    @Test("A reader that doesn't read holds up the command")
    func pressure() throws {
      let result = try program.shell(
        #"""
        "$VIEWER" run --timeout 1m -- sh -c 'head -c 10000000 /dev/zero; echo >finished' \
        | { head -c 1000000 >/dev/null; test -e finished || echo unfinished; wc -c; }
        """#)
      let words = result.output.split(separator: "\n")
      #expect(words.first == "unfinished", "\(result)")
    }

    // MARK: Relays

    @Test("A relay has no other open files, ignores signals, and ends with the run")
    func relay() throws {
      let result = try program.shell(
        #"""
        exec 7</dev/null
        "$VIEWER" run --timeout 1m -- sh -c '
          sh relays $PPID >numbers
          for relay in $(cat numbers); do
            echo $(ls /proc/$relay/fd)
            for signal in TERM INT HUP QUIT TSTP PIPE USR1 ALRM CHLD; do kill -$signal $relay; done
          done
          echo on; echo off >&2'
        for relay in $(cat numbers); do
          if kill -0 $relay 2>/dev/null; then echo left; fi
        done
        """#)
      #expect(result.output == "0 1\n0 1\non\n", "\(result)")
      #expect(result.errors == "off\n")
    }

    @Test(
      "The same pipe gets one relay, and files and terminals none",
      arguments: [("2>&1", 1), (">file", 1), (">file 2>&1", 0), ("", 2)])
    func relayCount(redirection: String, count: Int) throws {
      let result = try program.shell(
        #"""
        "$VIEWER" run --timeout 1m -- sh -c 'sh relays $PPID >numbers' \#(redirection)
        wc -l <numbers
        """#)
      #expect(result.output == "\(count)\n", "\(result)")
    }

    @Test("A run without a limit for the time since the last output has no relay")
    func withoutLimit() throws {
      let result = try program.run("--total-timeout 1m -- sh -c 'sh relays $PPID'")
      #expect(result.code == 0 && result.output == "", "\(result)")
    }

    @Test(
      "A run that can't make a relay fails with a sentence, before the command starts",
      arguments: [5, 6])
    func noDescriptors(limit: Int) throws {
      let result = try program.shell(
        #"""
        exec 3>&- 4>&- 5>&-
        ulimit -n \#(limit)
        exec "$VIEWER" run --timeout 1m -- touch started
        """#)
      #expect(result.code == 126, "\(result)")
      #expect(result.errors.contains("'--timeout' needs a pipe and a process"), "\(result)")
      #expect(program.directory.text("started") == nil)
    }
  }
#endif
