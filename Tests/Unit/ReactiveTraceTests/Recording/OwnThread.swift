import Foundation
import TestSupport
import Testing

/// Runs `body` on a new thread named `name` and waits for it.
func onItsOwnThread(named name: String, _ body: @escaping @Sendable () -> Void) throws {
  let (started, done) = (Flag(), Flag())
  let thread = Thread {
    // The name must be set on the thread itself so that the system gets it, and after `start` has
    // returned so that Foundation recognizes the thread.
    started.wait()
    Thread.current.name = name
    body()
    done.raise()
  }
  thread.start()
  started.raise()
  try #require(done.wait())
}
