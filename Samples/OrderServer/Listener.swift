import Foundation

/// A socket that listens on 127.0.0.1, with a thread that accepts connections.
final class Listener: Sendable {
  let port: UInt16
  /// The clients that connect, until ``stop()``.
  let clients: AsyncStream<Client>

  private let continuation: AsyncStream<Client>.Continuation

  /// Listens on a port, or on a free one if it is 0.
  init(port: UInt16) throws(ListenerError) {
    let (socket, address) = try Self.listen(on: port)
    self.port = UInt16(bigEndian: address.sin_port)
    let (clients, continuation) = AsyncStream.makeStream(of: Client.self)
    self.clients = clients
    self.continuation = continuation
    Thread.detachNewThread {
      Thread.current.name = "listener"
      Self.acceptConnections(of: socket) { continuation.yield($0) }
      continuation.finish()
    }
  }

  /// Ends ``clients``.
  func stop() {
    continuation.finish()
  }

  private static func listen(on port: UInt16) throws(ListenerError) -> (Int32, sockaddr_in) {
    #if canImport(Glibc)
      let type = CInt(SOCK_STREAM.rawValue)
    #else
      let type = SOCK_STREAM
    #endif
    let socket = Foundation.socket(AF_INET, type, 0)
    guard socket >= 0 else { throw ListenerError(port: port, code: errno) }
    var yes: CInt = 1
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
    var address = sockaddr_in()
    #if canImport(Darwin)
      address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
    #endif
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    let listens = withUnsafeMutableBytes(of: &address) { bytes in
      var size = socklen_t(bytes.count)
      return bytes.withMemoryRebound(to: sockaddr.self) { address in
        bind(socket, address.baseAddress, size) == 0 && Foundation.listen(socket, 16) == 0
          && getsockname(socket, address.baseAddress, &size) == 0
      }
    }
    guard listens else {
      let code = errno
      close(socket)
      throw ListenerError(port: port, code: code)
    }
    return (socket, address)
  }

  private static func acceptConnections(of socket: Int32, _ receive: (Client) -> Void) {
    var count = 0
    while true {
      let connection = accept(socket, nil, nil)
      if connection < 0, errno == EINTR || errno == ECONNABORTED { continue }
      guard connection >= 0 else {
        let reason = String(cString: strerror(errno))
        return FileHandle.standardError.write(
          Data("Error: The server can't accept connections: \(reason).\n".utf8))
      }
      // A client that doesn't read its answers loses them.
      var limit = timeval(tv_sec: 5, tv_usec: 0)
      setsockopt(
        connection, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      count += 1
      receive(Client(name: "client \(count)", connection: connection))
    }
  }
}

struct ListenerError: Error, CustomStringConvertible {
  let port: UInt16
  let code: Int32

  var description: String {
    "The server can't listen on port \(port): \(String(cString: strerror(code)))."
  }
}
