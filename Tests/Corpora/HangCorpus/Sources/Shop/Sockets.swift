import Dispatch
import Foundation

/// A connection whose other end never sends anything.
public final class Connection: Sendable {
  private let ends: [Int32]

  public init() {
    var ends: [Int32] = [0, 0]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
    self.ends = ends
  }

  /// Reads a line with a variable amount of memory on the stack.
  public func readLine() -> String {
    withUnsafeTemporaryAllocation(byteCount: 64 + ends.count, alignment: 1) { bytes in
      let count = recv(ends[0], bytes.baseAddress, bytes.count, 0)  // culprit: receive
      return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }
  }

  public func readMessage() -> Int {
    var message = msghdr()
    return recvmsg(ends[0], &message, 0)  // culprit: receiveMessage
  }

  /// Waits until something can be read, with a time limit for the poll.
  public func waitForInput() -> Bool {
    var wanted = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
    while poll(&wanted, 1, 200) == 0 {}  // culprit: poll
    return wanted.revents != 0
  }

  public func answer() -> Int {
    var byte: UInt8 = 0
    return recvfrom(ends[0], &byte, 1, Int32(MSG_WAITALL), nil, nil)  // culprit: socketPool
  }
}

/// As many tasks as the pool has threads wait for answers.
public func fetchAll() async -> Int {
  let connection = Connection()
  return await withTaskGroup(of: Int.self) { group in
    for _ in 0..<ProcessInfo.processInfo.activeProcessorCount * 2 {
      group.addTask { connection.answer() }
    }
    return await group.next() ?? 0
  }
}

/// A server that nobody connects to.
public struct Listener: Sendable {
  private let socket: Int32
  private let address: sockaddr_in

  public init(backlog: Int32 = 8) {
    socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = socket
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(descriptor, $0, size)
        _ = listen(descriptor, backlog)
        _ = getsockname(descriptor, $0, &size)
      }
    }
    self.address = address
  }

  /// The number of the port to which clients connect.
  public var port: UInt16 { UInt16(bigEndian: address.sin_port) }

  /// The descriptor of the socket.
  public var descriptor: Int32 { socket }

  @inline(never)
  public func serve() -> Int32 {
    let client = accept(socket, nil, nil)  // culprit: acceptConnection, stuckThread
    return client < 0 ? -errno : client
  }

  /// Connects more often than the server accepts.
  public func connectClients(_ count: Int) -> Int {
    var connected = 0
    for _ in 0..<count {
      let client = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = address
      let result = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))  // culprit: connection
        }
      }
      if result == 0 { connected += 1 }
    }
    return connected
  }
}

/// Waits for a signal that nobody sends.
public func waitForSignal() -> Int32 {
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, SIGUSR2)
  pthread_sigmask(SIG_BLOCK, &signals, nil)
  var signal: Int32 = 0
  sigwait(&signals, &signal)  // culprit: signal
  return signal
}
