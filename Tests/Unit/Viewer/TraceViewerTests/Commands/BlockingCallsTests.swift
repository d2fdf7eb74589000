#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @Suite("Blocking system calls of an inspected process", .ownThread)
  struct BlockingCallsTests {
    private let program = RunProgram()

    /// The commands that inspect the process `$process`. It waits for input from the pipe `input`,
    /// and its output is in the file `out`.
    private static let commands = [
      "\"$VIEWER\" tasks $process", "\"$VIEWER\" leaks $process",
      "\"$VIEWER\" tasks $process; \"$VIEWER\" leaks $process; \"$VIEWER\" tasks $process",
    ]

    /// Returns the results of calls that nothing inspects.
    private func plain() throws -> String {
      try program.shell("\"$HELPER\" blocking-calls < /dev/null").output
    }

    @Test("Calls return what they return without an inspection", arguments: commands)
    func inspected(_ command: String) throws {
      let result = try program.shell(
        """
        mkfifo input
        "$HELPER" blocking-calls < input > out & process=$!
        exec 3> input
        while ! grep -q started out; do :; done
        { \(command); } > inspections 2>&1
        exec 3>&-
        wait
        cat out
        """)
      let plain = try plain()
      #expect(plain.hasPrefix("started\n") && plain.split(separator: "\n").count > 50)
      #expect(result.output == plain, "\(result)")
    }

    @Test("Threads that are writing, and don't wait, write everything")
    func writing() throws {
      let looks = Array(repeating: "\"$VIEWER\" tasks $process", count: 10)
      let result = try program.shell(
        """
        mkfifo input
        "$HELPER" drained-writes < input > out & process=$!
        exec 3> input
        while ! grep -q started out; do :; done
        { \(looks.joined(separator: "; ")); "$VIEWER" leaks $process; } > inspections 2>&1
        exec 3>&-
        wait
        cat out
        """)
      #expect(result.output == "started\n0 incomplete writes\n", "\(result)")
    }

    @Test("Calls return the same under run, whose report is requested while they wait")
    func reported() throws {
      let file = program.directory.path + "/out"
      _ = try program.shell(
        """
        mkfifo input
        # A shell makes its background jobs ignore the signal, so the viewer takes its place.
        (
          exec 3> input
          while ! grep -q started out; do :; done
          kill -QUIT $$
          while ! grep -q THREADS errors; do :; done
        ) &
        exec "$VIEWER" run --timeout=100s -- "$HELPER" blocking-calls < input > out 2> errors
        """)
      let output = try String(contentsOfFile: file, encoding: .utf8)
      #expect(output.hasPrefix(try plain()), "\(output)")
    }

    @Test("Calls return the same in a process that run --leaks traces")
    func traced() throws {
      let result = try program.run("--leaks -- \"$HELPER\" blocking-calls < /dev/null")
      #expect(result.output.hasPrefix(try plain()), "\(result)")
    }
  }
#endif
