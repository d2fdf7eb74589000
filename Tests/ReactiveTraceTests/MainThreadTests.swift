import TestSupport
import Testing

// Here, because only a process of its own has a main thread that a test can do something on.
@Suite("ExecutionContext.immediateOnMain", .ownThread)
struct MainThreadTests {
  @Test("runs work at once on the main thread, also where that works for another queue")
  func immediatelyOnMain() throws {
    let (status, output, _) = try Helper(["main-thread"], trace: nil).finish()
    #expect(status == 0)
    #expect(output == "main queue\n")
  }
}
