import FlyingFox
import FlyingSocks
import Foundation

func runFlyingFox(_ port: Int, _ started: @escaping @Sendable () -> Void) async throws {
  let rooms = Rooms()
  let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: UInt16(port)))
  await server.appendRoute("/rooms") { _ in
    HTTPResponse(statusCode: .ok, body: Data("\(await rooms.count())".utf8))
  }
  await server.appendRoute("/key") { _ in
    HTTPResponse(statusCode: .ok, body: Data("\(rooms.lock())".utf8))
  }
  await server.appendRoute("/menu") { _ in HTTPResponse(statusCode: .ok) }
  let run = Task { try await server.run() }
  try await server.waitUntilListening()
  started()
  try await run.value
}
