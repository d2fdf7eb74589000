import Foundation
import Hummingbird
import ReactiveKit
import ServiceLifecycle

/// A stream of server-sent events to one client.
struct EventStream {
  fileprivate var writer: any ResponseBodyWriter
  /// Sends an element when the server shuts down.
  fileprivate let closing: ReplayOneSubject<Void, Never>

  /// Sends the elements until the signal or the server ends. A client that reads too slowly misses
  /// some of them. Throws an error when the client disconnects.
  mutating func send<Element: Encodable & Sendable>(
    _ signal: Signal<Element, Never>
  ) async throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let elements = signal.prefix(untilOutputFrom: closing).values(buffering: .bufferingNewest(16))
    for await element in elements {
      var event = ByteBuffer(string: "data: ")
      event.writeBytes(try encoder.encode(element))
      event.writeString("\n\n")
      try await writer.write(event)
    }
    try Task.checkCancellation()
  }
}

extension Request {
  /// Returns a response that stays open until the body returns. If the client disconnects before
  /// that, the body is canceled.
  func streamEvents(
    _ body: @escaping @Sendable (inout EventStream) async throws -> Void
  ) -> Response {
    Response(
      status: .ok,
      headers: [.contentType: "text/event-stream", .cacheControl: "no-cache"],
      body: ResponseBody { writer in
        let closing = ReplayOneSubject<Void, Never>()
        var stream = EventStream(writer: writer, closing: closing)
        try await withGracefulShutdownHandler {
          try await self.body.consumeWithCancellationOnInboundClose { _ in try await body(&stream) }
        } onGracefulShutdown: {
          closing.send(())
        }
        try await writer.finish(nil)
      })
  }
}
