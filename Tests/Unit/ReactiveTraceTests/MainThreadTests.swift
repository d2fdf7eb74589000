import TestSupport
import Testing

// This suite uses the helper because a test can only control the main thread of another process.
@Suite("ExecutionContext.immediateOnMain", .ownThread)
struct MainThreadTests {
  @Test("immediateOnMain runs work immediately on the main thread, even inside another queue")
  func immediatelyOnMain() throws {
    let (status, output, _) = try Helper(["main-thread"], trace: nil).finish()
    #expect(status == 0)
    #expect(output == "main queue\n")
  }
}
