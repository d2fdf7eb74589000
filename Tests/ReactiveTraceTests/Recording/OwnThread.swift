import Foundation
import Synchronization
import Testing

/// Runs `body` on a new thread of that name and waits for it.
func onItsOwnThread(named name: String, _ body: @escaping @Sendable () -> Void) throws {
  let done = DispatchSemaphore(value: 0)
  Thread {
    // Set on the thread itself: only then does the system learn it.
    Thread.current.name = name
    body()
    done.signal()
  }.start()
  try #require(done.wait(timeout: .now() + 60) == .success)
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
  try #require(done.wait(timeout: .now() + 120) == .success)
}
