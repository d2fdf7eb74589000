import Foundation
import Synchronization

/// A client: where its requests come from, and where the answers go until it is closed.
final class Client: Sendable {
  let name: String
  let input: Int32
  private let errors: Int32
  private let output: Mutex<Int32?>

  /// The person or program at the standard input of the server.
  static let console = Client(name: "console", input: 0, output: 1, errors: 2)

  /// A client with a connection, which ``close()`` closes.
  convenience init(name: String, connection: Int32) {
    self.init(name: name, input: connection, output: connection, errors: connection)
  }

  private init(name: String, input: Int32, output: Int32, errors: Int32) {
    self.name = name
    self.input = input
    self.output = Mutex(output)
    self.errors = errors
  }

  /// Writes a line. If the client is gone, the line is lost.
  func send(_ line: String) {
    output.withLock { descriptor in
      if let descriptor { Self.write("\(line)\n", to: descriptor) }
    }
  }

  /// Reports a request that can't be served.
  func send(_ error: some Error) {
    output.withLock { descriptor in
      if descriptor != nil { Self.write("Error: \(error)\n", to: errors) }
    }
  }

  /// Ends the requests of a connection.
  func stopReading() {
    _ = shutdown(input, CInt(SHUT_RD))
  }

  /// Closes the connection. Lines that are sent later are lost.
  func close() {
    output.withLock { descriptor in
      if input == descriptor { _ = Foundation.close(input) }
      descriptor = nil
    }
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }
}
