#if os(Linux)
  import SystemLibrary

  /// The sockets that a process can have, from the kernel's lists (proc(5): `/proc/net`).
  struct SocketTable {
    private struct Socket {
      let local: String
      let remote: String?
      let isListening: Bool
    }

    private let sockets: [Substring: Socket]
    private let process: Int32

    init(ofProcess process: Int32) {
      self.process = process
      var sockets: [Substring: Socket] = [:]
      for name in ["tcp", "tcp6", "udp", "udp6"] {
        for line in Self.lines("/proc/\(process)/net/\(name)") {
          guard line.count > 9, let local = Self.internetAddress(line[1]) else { continue }
          let remote = Self.internetAddress(line[2])
          sockets[line[9]] = Socket(
            local: local, remote: remote.flatMap { $0.hasSuffix(":0") ? nil : $0 },
            // `TCP_LISTEN` of the kernel.
            isListening: name.hasPrefix("tcp") && line[3] == "0A")
        }
      }
      for line in Self.lines("/proc/\(process)/net/unix") {
        guard line.count > 6 else { continue }
        sockets[line[6]] = Socket(
          local: line.count > 7 ? String(line[7]) : "", remote: nil,
          // `__SO_ACCEPTCON` of the kernel.
          isListening: UInt(line[3], radix: 16).map { $0 & 1 << 16 != 0 } ?? false)
      }
      self.sockets = sockets
    }

    /// Returns the words of the lines of a list, without its title.
    private static func lines(_ path: String) -> [[Substring]] {
      (ProcFile.text(path) ?? "").split(separator: "\n").dropFirst()
        .map { $0.split(separator: " ") }
    }

    /// Returns the number of the socket of a link such as `socket:[4711]`.
    private static func number(_ target: String) -> Substring? {
      target.hasPrefix("socket:[") ? target.dropFirst("socket:[".count).dropLast() : nil
    }

    /// Returns the address of the other end of a socket, or its own one, or nil if it doesn't have
    /// one.
    func addresses(of target: String) -> String? {
      guard let socket = Self.number(target).flatMap({ sockets[$0] }) else { return nil }
      let address = socket.remote ?? socket.local
      return address.isEmpty ? nil : address
    }

    /// A Boolean value that indicates whether the process waits for connections of clients.
    var hasListener: Bool {
      let folder = "/proc/\(process)/fd"
      return ProcFile.numbers(in: folder).prefix(Self.maxDescriptors).contains { descriptor in
        ProcFile.target(ofLink: "\(folder)/\(descriptor)").flatMap(Self.number)
          .flatMap { sockets[$0] }?.isListening == true
      }
    }

    private static let maxDescriptors = 1 << 14

    /// Returns an address such as `127.0.0.1:80` from the kernel's hexadecimal numbers. Each word
    /// of the address has the order of bytes of the processor.
    private static func internetAddress(_ text: Substring) -> String? {
      let parts = text.split(separator: ":")
      guard parts.count == 2, let port = UInt16(parts[1], radix: 16),
        parts[0].count.isMultiple(of: 8)
      else { return nil }
      var bytes: [UInt8] = []
      var rest = parts[0]
      while !rest.isEmpty {
        guard let word = UInt32(rest.prefix(8), radix: 16) else { return nil }
        withUnsafeBytes(of: word) { bytes += $0 }
        rest = rest.dropFirst(8)
      }
      return internetAddress(bytes, port: port)
    }

    private static func internetAddress(_ bytes: [UInt8], port: UInt16) -> String {
      if bytes.count == 4 {
        return bytes.map(String.init).joined(separator: ".") + ":\(port)"
      }
      let groups = stride(from: 0, to: bytes.count - 1, by: 2).map {
        String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
      }
      return "[\(groups.joined(separator: ":"))]:\(port)"
    }

    /// Returns the text of an address as programs give it to the system (`sockaddr`).
    static func address(_ bytes: [UInt8]) -> String? {
      guard bytes.count > 2 else { return nil }
      let family = Int32(bytes[0]) | Int32(bytes[1]) << 8
      if family == AF_UNIX {
        let path = bytes[2...].prefix { $0 != 0 }
        return path.isEmpty ? nil : String(decoding: path, as: UTF8.self)
      }
      guard bytes.count >= 8 else { return nil }
      let port = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
      if family == AF_INET { return internetAddress(Array(bytes[4..<8]), port: port) }
      guard family == AF_INET6, bytes.count >= 24 else { return nil }
      return internetAddress(Array(bytes[8..<24]), port: port)
    }
  }
#endif
