import Foundation
import Synchronization
import Testing

/// Runs `body` on a new thread of that name and waits for it.
func onItsOwnThread(named name: String, _ body: @escaping @Sendable () -> Void) throws {
  let (started, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  let thread = Thread {
    // Set on the thread itself: only then does the system learn it. And after `start` has returned: only then does
    // Foundation know that this is the thread it has started.
    started.wait()
    Thread.current.name = name
    body()
    done.signal()
  }
  thread.start()
  started.signal()
  try #require(done.wait(timeout: .now() + 600) == .success)
}

/// Runs `body` on `count` threads at once and waits for all.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) throws {
  let done = DispatchGroup()
  for number in 0..<count {
    done.enter()
    Thread {
      body(number)
      done.leave()
    }.start()
  }
  try #require(done.wait(timeout: .now() + 600) == .success)
}
