import TestSupport
import Testing

/// The tasks that a test leaves behind, in processes with little memory.
@Suite(
  "Tasks that a body leaves behind", .ownThread,
  .enabled(if: !isSanitized, "block sizes are unknown with a sanitizer's allocator"))
struct LeftTasksTests {
  /// Returns what a process prints about the tasks, without the last line.
  private func text(_ way: String) throws -> String {
    let result = try Helper(["left-tasks", way], trace: nil, ["REACTIVE_TRACE_EXPLAIN": "60"])
      .finish()
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(result.output.hasSuffix("done\n"), "\(result.output)")
    return String(result.output.dropLast(5))
  }

  @Test("A log says that time ran out during the search for stuck tasks")
  func noTime() throws {
    let log = try TemporaryLog()
    let result = try Helper(
      ["dropped"], trace: log.path, ["REACTIVE_TRACE_EXPLAIN": "0.000000001"],
      program: Helper.path(of: "TaskCorpus")
    ).finish()
    #expect(result.status == 0)
    let end = try #require(log.lines().last)
    #expect(end.contains(#""event":"end","reason":"time","#))
  }

  @Test("A warning says that time ran out during the search for tasks that a test left behind")
  func noTimeInTest() throws {
    let result = try Helper(
      ["left-tasks", "lost"], trace: nil, ["REACTIVE_TRACE_EXPLAIN": "0.000000001"]
    ).finish()
    #expect(result.output == "done\n")
    #expect(
      result.errors.contains("may have left behind tasks without an end: the search took too long"))
  }

  @Test("A task isn't called open if only the stack of a thread that runs has its continuation")
  func busyThread() throws {
    let result = try Helper(
      ["left-tasks", "busy-thread"], trace: nil, ["REACTIVE_TRACE_EXPLAIN": "1"]
    ).finish()
    #expect(result.output == "done\n")
    #expect(
      result.errors.contains(
        "may have left behind tasks without an end: the search took too long, or a thread ran"))
  }

  @Test("A task whose continuation is lost is found, with the line of its await")
  func lost() throws {
    let text = try text("lost")
    #expect(text.contains("waits for a continuation that nothing can resume\n"), "\(text)")
    #expect(text.contains("PaymentClient.pay()"), "\(text)")
    #expect(text.contains("Resume the continuation exactly once on each path"), "\(text)")
  }

  @Test(
    "A task that only retains itself through its stream is found",
    .enabled(if: ConcurrencyRuntime.hasAllNames))
  func stream() throws {
    let text = try text("stream")
    #expect(
      text.contains("waits for a stream that only the task itself keeps alive\n"), "\(text)")
    #expect(text.contains("closure #1 in Feed.follow()"), "\(text)")
  }

  @Test("A task that was canceled and still waits is found")
  func canceled() throws {
    #expect(try text("canceled").contains("was canceled, but still waits\n"))
  }

  @Test("A task that a child task starts belongs to the body")
  func ofChild() throws {
    #expect(try text("of-child").contains("waits for a continuation that nothing can resume\n"))
  }

  @Test("A task that another body started at the same time isn't found")
  func ofAnotherTest() throws {
    #expect(try text("of-another-test") == "other: 1\n")
  }

  @Test(
    "Tasks that have ended or can continue, and detached tasks, aren't found",
    arguments: ["ended", "open", "detached"])
  func fine(way: String) throws {
    #expect(try text(way) == "")
  }
}
