import SystemLibrary
package import TraceFormat

extension LogIdentity {
  /// Returns the identity of this process, with the current time as its start.
  ///
  /// - Parameter run: The name of the run to which the process belongs, if known.
  package static func current(run: String? = nil) -> LogIdentity {
    var wall = timespec()
    clock_gettime(CLOCK_REALTIME, &wall)
    return LogIdentity(
      trace: randomTrace(), process: processName(), pid: Int(getpid()), host: hostName(),
      started: RFC3339.text(secondsSince1970: Int(wall.tv_sec), nanoseconds: Int(wall.tv_nsec)),
      run: run)
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
    return SystemError.text(name)
  }
}
