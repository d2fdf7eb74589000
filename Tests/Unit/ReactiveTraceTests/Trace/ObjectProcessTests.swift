import TestSupport
import Testing

/// Explanations that need a search of all memory, which is small in another process.
@Suite(
  "Explanations of objects in other processes", .ownThread,
  .enabled(if: !isSanitized, "block sizes are unknown with a sanitizer's allocator"))
struct ObjectProcessTests {
  /// Returns what a process prints about an object.
  private func text(_ way: String) throws -> String {
    let result = try Helper(["object", way], trace: nil, ["REACTIVE_TRACE_EXPLAIN": "60"]).finish()
    #expect(result.status == 0)
    #expect(result.errors == "")
    return result.output
  }

  @Test("The explanation of a cached object names the static variable")
  func variable() throws {
    #expect(
      try text("variable") == """
        held by:
          static ScreenCache.screens
          EditorScreen                 the object
        Remove the object from static ScreenCache.screens when it is no longer needed.

        """)
  }

  @Test("An object that only the caller has isn't reported as leaking")
  func caller() throws {
    let text = try text("caller")
    #expect(text.hasPrefix("probably held only by the caller:"), "\(text)")
    #expect(text.contains("No other holder was found among"), "\(text)")
  }

  @Test("An object in an object of the caller is reported with the property that holds it")
  func propertyOfCaller() throws {
    let text = try text("property-of-caller")
    #expect(text.hasPrefix("probably held only by the caller:"), "\(text)")
    #expect(text.contains("  Window.screen"), "\(text)")
  }

  @Test("The error about an object in a variable of another thread names the object that holds it")
  func thread() throws {
    let text = try text("thread")
    #expect(text.contains("1 object was not deallocated"), "\(text)")
    #expect(!text.contains("caller"), "\(text)")
    #expect(text.contains("a local variable"), "\(text)")
    #expect(text.contains("Window.screen"), "\(text)")
  }

  @Test("The error about a view model names the task that follows a stream")
  func task() throws {
    let text = try text("task")
    #expect(text.contains("! FeedModel"), "\(text)")
    #expect(text.contains("Task at ObjectHolding.swift:"), "\(text)")
    #expect(text.contains("Cancel the Task"), "\(text)")
    #expect(!text.contains("caller"), "\(text)")
  }

  @Test("The error about a clock names the closure of its timer")
  func timer() throws {
    let text = try text("timer")
    #expect(text.contains("captures self strongly"), "\(text)")
    #expect(text.contains("ClockFace.timer"), "\(text)")
  }

  @Test("The error about an object in a variable of the test advises not to store it")
  func variableOfTest() throws {
    for way in ["variable-of-test", "blocking-variable-of-test"] {
      let text = try text(way)
      #expect(text.contains("probably held only by the caller:"), "\(text)")
      #expect(text.contains("Make the object in the first closure"), "\(text)")
    }
  }

  @Test("The error about an object in a block names the queue that hasn't run it")
  func pendingBlock() throws {
    let text = try text("pending-block")
    #expect(text.contains("queue \"editor.work\""), "\(text)")
    #expect(text.contains("closure at ObjectHolding.swift:"), "\(text)")
    #expect(text.contains("captures self strongly"), "\(text)")
    #expect(
      text.contains("Capture self weakly: [weak self], or resume the queue."), "\(text)")
  }
}
