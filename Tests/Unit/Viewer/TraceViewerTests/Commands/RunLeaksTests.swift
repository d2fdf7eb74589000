#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @testable import ViewerConsole

  @Suite(
    "trace-viewer run --leaks", .ownThread,
    .enabled(if: !isSanitized, "the allocator of a sanitizer isn't glibc's"))
  struct RunLeaksTests {
    private let program = RunProgram()

    @Test("Each process is searched when it ends, and the command runs as usual")
    func ends() throws {
      let result = try program.run("--leaks -- \"$HELPER\" lost-objects-end")
      #expect(result.code == 1, "\(result)")
      #expect(result.output.hasPrefix("started\n"))
      #expect(result.output.contains("  LostScreen  "), "\(result.output)")
      #expect(result.output.contains("  LostItem  "), "\(result.output)")
      #expect(result.output.contains("1 retain cycle of objects, 1 unreachable"))
    }

    @Test("Children, programs that are executed, and several processes are searched")
    func children() throws {
      let script = "\"$HELPER\" lost-objects-end & \"$HELPER\" lost-objects-end; wait; exit 3"
      let result = try program.run("--leaks -f json -- sh -c '\(script)'")
      #expect(result.code == 3, "\(result)")
      let json = try #require(
        try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
      let logs = try #require(json["logs"] as? [[String: Any]])
      #expect(logs.count == 2)
      #expect(
        (json["findings"] as? [[String: Any]])?.map { ($0["subscriptions"] as? [Any])?.count } == [
          2, 2,
        ])
    }

    @Test("A process that has executed no program is a copy of its parent, and isn't searched")
    func copies() throws {
      let result = try program.run("--leaks -f json -- \"$HELPER\" lost-objects-copies 100")
      #expect(result.errors.contains("failed: 100, ended: true"), "\(result)")
      let json = try #require(
        try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
      #expect((json["logs"] as? [[String: Any]])?.count == 1)
      #expect((json["findings"] as? [[String: Any]])?.count == 2)
    }

    @Test("Programs that are killed, or replaced by another one, are named")
    func unsearched() throws {
      let script =
        ["tell 1 1 abort", "untraceable /bin/true", "write 1"]
        .map { "\"$HELPER\" \($0)" }.joined(separator: "; ")
      let result = try program.run("--leaks -- sh -c '\(script)'")
      // The log of the killed process has no end.
      #expect(result.code == 2, "\(result)")
      #expect(result.errors.contains("Signal 6 ended 1 process, which wasn't searched."))
      #expect(
        result.errors.contains(
          "Another program replaced it in 1 process, which wasn't searched before."))
    }

    @Test("Programs that still run after the command are named")
    func runningAfterCommand() throws {
      let script = """
        mkfifo ready
        "$HELPER" lost-objects >ready &
        echo $! >number
        read line <ready
        "$HELPER" write 1
        """
      let result = try program.run(
        "--leaks -- sh -c '\(script)'", after: "; code=$?; kill $(cat number); exit $code")
      #expect(
        result.errors.contains(
          "After the end of the command, 1 process still ran, which wasn't searched."))
      #expect(result.code == 0, "\(result)")
    }

    @Test("A word below the stack of the thread that ends the process doesn't hide a leak")
    func wordsBelowStack() throws {
      let result = try program.run("--leaks -- \"$HELPER\" lost-objects-below-stack")
      #expect(result.code == 1, "\(result)")
      #expect(result.output.contains("LostItem"), "\(result.output)")
    }

    @Test("The findings have the facts about the objects in JSON")
    func json() throws {
      let result = try program.run("--leaks -f json -- \"$HELPER\" lost-objects-end")
      let json = try #require(
        try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
      let findings = try #require(json["findings"] as? [[String: Any]])
      let cycle = try #require(findings.first { $0["rule"] as? String == "retain-cycle" })
      let objects = try #require(
        (cycle["subscriptions"] as? [[String: Any]])?.first?["objects"] as? [String: Any])
      #expect(objects["count"] as? Int == 3)
      let members = try #require(objects["members"] as? [[String: Any]])
      #expect(members.map { $0["class"] as? String } == ["LostScreen"])
    }

    @Test("A command without a Swift program has nothing to check, which isn't a success")
    func nothing() throws {
      let result = try program.run("--leaks -- true")
      #expect(result.code == 2, "\(result)")
      #expect(result.errors.contains("nothing to check"), "\(result.errors)")
    }

    @Test("A command that doesn't exist fails as without a search")
    func missing() throws {
      let result = try program.run("--leaks -- no-such-command")
      #expect(result.code == 127, "\(result)")
    }

    @Test("Signals reach the command, and its code is that of the signal")
    func signals() throws {
      let result = try program.run("--leaks -- sh -c 'kill -TERM $$'")
      #expect(result.code == 143, "\(result)")
      let killed = try program.run("--leaks -- sh -c 'kill -KILL $$'")
      #expect(killed.code == 137, "\(killed)")
    }

    @Test("A hanging command is ended, and its leaks aren't searched")
    func hang() throws {
      let result = try program.run("--leaks --timeout 2s -- \"$HELPER\" lost-objects")
      #expect(result.code == 124, "\(result)")
      #expect(result.errors.contains("printed nothing for 2 s"), "\(result.errors)")
    }

    @Test("leaks finds the same in a running process, and compares the numbers of its objects")
    func running() throws {
      let result = try program.shell(
        """
        "$HELPER" lost-objects > out & process=$!
        while ! grep -q started out; do :; done
        "$VIEWER" leaks --stop --save=before.jsonl $process > first
        code=$?
        "$VIEWER" leaks $process > second
        "$VIEWER" leaks --compare=before.jsonl $process | tail -n 1
        kill $process
        cat first second
        exit $code
        """)
      #expect(result.code == 1, "\(result)")
      #expect(result.output.contains("1 retain cycle of objects, 1 unreachable\n"))
      #expect(result.output.contains("1 retain cycle of objects\n"))
      #expect(result.output.contains("No class has more objects than in before.jsonl."))
    }

    @Test("Cycles that threads make and break while they are searched aren't reported")
    func changing() throws {
      let result = try program.shell(
        """
        "$HELPER" changing-cycles > out & process=$!
        while ! grep -q started out; do :; done
        for n in 1 2 3 4; do
          "$VIEWER" leaks $process || break
        done
        code=$?
        kill $process
        exit $code
        """)
      #expect(result.code == 0, "\(result)")
      #expect(result.output.ranges(of: "no leaked objects").count == 4, "\(result.output)")
    }

    @Test("Where the system forbids tracing, the command isn't run, and an error says what to do")
    func untraceable() throws {
      let result = try program.shell(
        "\"$HELPER\" untraceable \"$VIEWER\" run --leaks -- sh -c 'echo ran'")
      #expect(result.code == 69, "\(result)")
      #expect(result.output == "")
      #expect(result.errors.contains("sh was not run"), "\(result.errors)")
      #expect(result.errors.contains("--cap-add=SYS_PTRACE"), "\(result.errors)")
    }

    @Test("A command that another program traces already isn't run, and the error names that one")
    func alreadyTraced() throws {
      let result = try program.run("--leaks -- \"$VIEWER\" run --leaks -- sh -c 'echo ran'")
      #expect(result.code == 69, "\(result)")
      #expect(!result.output.contains("ran"))
      #expect(result.errors.contains("(trace-viewer) traces them already"), "\(result.errors)")
    }

    @Test("leaks names the program that traces a process already")
    func traced() throws {
      let result = try program.shell(
        """
        "$VIEWER" run --leaks -- sh -c 'echo $$ > id; exec "$0" lost-objects' "$HELPER" > out &
        while ! grep -q started out; do :; done
        "$VIEWER" leaks --stop $(cat id)
        code=$?
        kill $(cat id)
        wait
        exit $code
        """)
      #expect(result.code == 69, "\(result)")
      #expect(result.errors.contains("(trace-viewer) traces it"), "\(result.errors)")
      #expect(result.errors.contains("Without '--stop', it is searched"), "\(result.errors)")
    }

    @Test("In a process with another allocator, cycles are found, and the allocator is named")
    func otherAllocator() throws {
      // Only the name of the library matters, so any library can have it.
      let result = try program.shell(
        """
        cp $(ldd "$HELPER" | awk '/libm\\.so/ { print $3 }') libjemalloc.so.2
        "$VIEWER" run --leaks -- env LD_PRELOAD=./libjemalloc.so.2 "$HELPER" lost-objects-end
        """)
      #expect(result.code == 1, "\(result)")
      #expect(result.output.contains("LostScreen"), "\(result.output)")
      #expect(!result.output.contains("unreachable"), "\(result.output)")
      #expect(
        result.errors.contains("Its allocator is jemalloc, so only cycles of objects are found"),
        "\(result.errors)")
    }

    @Test(
      "A process that can't be searched is an error with a reason",
      arguments: [("2147483647", "No process has the number"), ("$$", "It is not a Swift program")])
    func failures(_ process: String, _ reason: String) throws {
      let result = try program.shell("\"$VIEWER\" leaks \(process)")
      #expect(result.code == 69, "\(result)")
      #expect(result.errors.contains(reason), "\(result.errors)")
    }
  }
#endif
