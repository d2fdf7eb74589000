import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// A mailbox on a server that answers some requests with the number of another one.
public final class Mailbox: Sendable {
  private let loop = MultiThreadedEventLoopGroup.singleton.next()
  private let pending = NIOLockedValueBox<[Int: EventLoopPromise<String>]>([:])

  public init() {}

  public func fetch(_ number: Int) async throws -> String {
    try await request(number).get()  // culprit: promise
  }

  public func fetchAndBlock(_ number: Int) throws -> String {
    try request(number).wait()  // culprit: futureWait
  }

  private func request(_ number: Int) -> EventLoopFuture<String> {
    let promise = loop.makePromise(of: String.self)
    pending.withLockedValue { $0[number] = promise }
    loop.execute { self.receive("message", number: number + 1) }
    return promise.futureResult
  }

  private func receive(_ message: String, number: Int) {
    let promise = pending.withLockedValue { $0.removeValue(forKey: number) }
    promise?.succeed(message)
  }
}
