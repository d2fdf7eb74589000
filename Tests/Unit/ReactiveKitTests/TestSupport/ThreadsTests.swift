import AllocationCounter
import Foundation
import Synchronization
import TestSupport
import TestThreads
import Testing

@Suite("Threads of tests", .ownThread)
struct ThreadsTests {
  @Test("Test threads all run at the same time, regardless of the number of cores")
  func atOnce() {
    let meeting = Atomic(0)
    runOnThreads(16) { _ in
      meeting.wrappingAdd(1, ordering: .relaxed)
      while meeting.load(ordering: .relaxed) < 16 { yieldThread() }
    }
    #expect(meeting.load(ordering: .relaxed) == 16)
  }

  @Test(
    "A test thread has the requested stack size",
    // The thread sanitizer records at most 65,536 nested calls of a thread, and corrupts memory
    // beyond that. With a sanitizer, allocations aren't counted.
    .enabled(if: allocations_of_this_thread() >= 0, "calls are too deep for a sanitizer"))
  func stack() {
    let isDone = onAnotherThread(stackSize: 64 << 20) {
      // Much more than the default size. Without the requested stack, the process crashes here.
      deepen(16 << 20)
    }
    #expect(isDone)
  }

  @inline(never)
  private func deepen(_ bytes: Int) {
    guard bytes > 0 else { return }
    withUnsafeTemporaryAllocation(byteCount: 900, alignment: 16) { memory in
      memory.storeBytes(of: 1, as: UInt8.self)
      deepen(bytes - memory.count)
    }
  }

  @Test("A test thread blocks all signals except those that a fault raises")
  func signals() {
    _ = onAnotherThread {
      var blocked = sigset_t()
      sigemptyset(&blocked)
      pthread_sigmask(SIG_BLOCK, nil, &blocked)
      #expect(sigismember(&blocked, SIGTERM) == 1)
      #expect(sigismember(&blocked, SIGWINCH) == 1)
      #expect(sigismember(&blocked, SIGSEGV) == 0)
    }
  }
}
