#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Darwin
#endif

/// What the first line of a log says about the process that writes it.
package struct LogIdentity: Sendable {
  package static let recorderVersion = "0.1.0"

  package var trace: String
  package var process: String?
  package var pid: Int
  package var host: String?
  package var started: String

  package init(trace: String, process: String?, pid: Int, host: String?, started: String) {
    self.trace = trace
    self.process = process
    self.pid = pid
    self.host = host
    self.started = started
  }

  /// This process, now.
  package static func current() -> LogIdentity {
    var wall = timespec()
    clock_gettime(CLOCK_REALTIME, &wall)
    return LogIdentity(
      trace: randomTrace(), process: processName(), pid: Int(getpid()), host: hostName(),
      started: RFC3339.text(secondsSince1970: Int(wall.tv_sec), nanoseconds: Int(wall.tv_nsec)))
  }

  private static func randomTrace() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
      let digits = String(UInt32.random(in: 0 ... .max, using: &generator), radix: 16)
      return String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }.joined()
  }

  private static func processName() -> String? {
    CommandLine.arguments.first?.split(separator: "/").last.map(String.init)
  }

  private static func hostName() -> String? {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0, name[0] != 0 else { return nil }
    return CText.string(name)
  }
}
