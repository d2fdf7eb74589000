import Foundation

/// Servers of two packages: `Inn NAME`. The part of the name after the dash is the path of a
/// request.
@main
struct Inn {
  static func main() async throws {
    let words = (CommandLine.arguments.dropFirst().first ?? "").split(separator: "-")
    let port = freePort()
    let request = words.count > 1 ? String(words[1]) : nil
    let started: @Sendable () -> Void = {
      if let request { send("/\(request)", to: port) }
    }
    switch words.first {
    case "hummingbird": try await runHummingbird(port, started)
    case "fox": try await runFlyingFox(port, started)
    default: print("The names begin with 'hummingbird' or 'fox'.")
    }
  }
}

private func withAddress<Result>(
  port: UInt16, _ body: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Result
) -> (Result, UInt16) {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  var size = socklen_t(MemoryLayout<sockaddr_in>.size)
  let result = withUnsafeMutablePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &size) }
  }
  return (result, UInt16(bigEndian: address.sin_port))
}

/// Returns a port that no program uses now.
private func freePort() -> Int {
  let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(file) }
  return Int(
    withAddress(port: 0) { address, size in
      bind(file, address, size)
      getsockname(file, address, &size)
    }.1)
}

/// Sends a request, and doesn't read the answer.
private func send(_ path: String, to port: Int) {
  let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  _ = withAddress(port: UInt16(port)) { address, size in connect(file, address, size) }
  let text = "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n"
  _ = text.withCString { write(file, $0, strlen($0)) }
}

/// A book of rooms, whose answers get lost.
actor Rooms {
  private var waiting: [CheckedContinuation<Int, Never>] = []

  func count() async -> Int {
    await withCheckedContinuation { waiting.append($0) }  // culprit: hummingbird-rooms, fox-rooms
  }

  nonisolated func lock() -> Int {
    let key = DispatchSemaphore(value: 0)
    key.wait()  // culprit: hummingbird-key, fox-key
    return 1
  }
}
