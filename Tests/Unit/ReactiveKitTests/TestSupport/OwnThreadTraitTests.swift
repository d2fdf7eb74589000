import Foundation
import ReactiveKit
import TestSupport
import Testing

@Suite("Tests with a thread of their own", .ownThread)
struct OwnThreadTraitTests {
  /// A meeting of one more test than could block at the same time without the trait.
  private final class Meeting: Sendable {
    static let all = Meeting()

    private let missing = Locked(Meeting.count)
    private let isComplete = Flag()

    static let count = max(2, ProcessInfo.processInfo.activeProcessorCount) + 1

    func attend() -> Bool {
      let isLast = missing.withLock { missing in
        missing -= 1
        return missing == 0
      }
      if isLast { isComplete.raise() }
      return isComplete.wait()
    }
  }

  @Test(
    "A test with its own thread can block until other tests arrive", arguments: 0..<Meeting.count)
  func meeting(_ number: Int) {
    #expect(Meeting.all.attend())
  }

  @Test("A test with its own thread stays on it after a suspension")
  func suspension() async {
    let thread = pthread_self()
    await Task.yield()
    #expect(isCurrent(thread))
    let value = await Task.detached { 7 }.value
    #expect(value == 7)
    #expect(isCurrent(thread))
  }

  // The function that returns the thread isn't available in an asynchronous context.
  private func isCurrent(_ thread: pthread_t) -> Bool {
    pthread_equal(thread, pthread_self()) != 0
  }

  @Test("A test with its own thread throws the error of its body")
  func failure() async throws {
    await #expect(throws: TestError()) {
      await Task.yield()
      throw TestError()
    }
  }
}
