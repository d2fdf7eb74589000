import Foundation
import TestSupport
import Testing

/// Runs `body` on a new thread of that name and waits for it.
func onItsOwnThread(named name: String, _ body: @escaping @Sendable () -> Void) throws {
  let (started, done) = (Flag(), Flag())
  let thread = Thread {
    // Set on the thread itself: only then does the system learn it. And after `start` has returned: only then does
    // Foundation know that this is the thread it has started.
    started.wait()
    Thread.current.name = name
    body()
    done.raise()
  }
  thread.start()
  started.raise()
  try #require(done.wait())
}
