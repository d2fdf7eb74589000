import Dispatch
import NIOCore
import NIOPosix

/// Attachments, which are loaded on the event loop that waits for them.
public struct Attachments: Sendable {
  private let loop = MultiThreadedEventLoopGroup.singleton.next()

  public init() {}

  public func count() async throws -> Int {
    try await loop.submit { load() }.get()
  }

  public func countAndBlock() throws -> Int { try loop.submit { load() }.wait() }

  private func load() -> Int {
    let loaded = DispatchSemaphore(value: 0)
    loop.execute { loaded.signal() }
    wait(for: loaded)
    return 1
  }

  private func wait(for loaded: DispatchSemaphore) {
    loaded.wait()  // culprit: eventLoop, waitForLoop
  }
}
