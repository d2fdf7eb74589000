import Foundation
import Testing

/// The process `TraceWriterHelper`, run by a test.
///
/// It is spawned here and not by Foundation, whose processes inherit the pipes of others that are spawned at the same time:
/// the end of a pipe would come only when all of them have ended.
final class Helper {
  private let process: pid_t
  private let output: Int32
  private let errors: Int32
  private static let spawning = NSLock()

  init(_ arguments: [String], trace: String?, _ settings: [String: String] = [:]) throws {
    var environment = ProcessInfo.processInfo.environment
    environment["REACTIVE_TRACE"] = trace
    // A crash report takes seconds.
    environment["SWIFT_BACKTRACE"] = "enable=no"
    for (name, value) in settings { environment[name] = value }

    // No other process of this test run is spawned between the making of a pipe and its mark.
    Self.spawning.lock()
    defer { Self.spawning.unlock() }
    let (output, errors) = (try Self.pipe(), try Self.pipe())
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output.write, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errors.write, STDERR_FILENO)
    let words = ([Self.path] + arguments).map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, Self.path, &actions, nil, words, variables)
    close(output.write)
    close(errors.write)
    try #require(code == 0, "the helper cannot be run: \(String(cString: strerror(code)))")
    self.process = process
    self.output = output.read
    self.errors = errors.read
  }

  deinit {
    close(output)
    close(errors)
  }

  /// A pipe that no other process inherits.
  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    try #require(Foundation.pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Beside the tests, whatever the build folder is.
  private static let path: String = {
    let tests = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
    var folder = URL(fileURLWithPath: tests).deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appendingPathComponent("TraceWriterHelper")
      if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate.path }
      folder.deleteLastPathComponent()
    }
    return "TraceWriterHelper"
  }()

  /// Up to `count` bytes; fewer where the other side has closed.
  private static func read(_ file: Int32, upTo count: Int = .max) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65536)
    while bytes.count < count {
      let size = Foundation.read(file, &piece, min(piece.count, count - bytes.count))
      if size < 0, errno == EINTR { continue }
      guard size > 0 else { break }
      bytes += piece[..<size]
    }
    return bytes
  }

  /// How it ended: the signal, or the exit code as a negative number.
  private func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? -(status >> 8 & 0xFF) : status & 0x7F
  }

  /// Waits until it has written so many bytes, then kills it in the middle of whatever it does; all that it had written.
  @discardableResult
  func kill(afterBytes count: Int) throws -> String {
    var bytes = Self.read(output, upTo: count)
    try #require(bytes.count == count, "the helper ended by itself")
    #expect(Foundation.kill(process, SIGKILL) == 0)
    bytes += Self.read(output)
    #expect(wait() == SIGKILL)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Waits for its end: the signal, or the exit code as a negative number, and what it wrote.
  func end() -> (signal: Int32, output: String, errors: String) {
    let text = String(decoding: Self.read(output), as: UTF8.self)
    let complaints = String(decoding: Self.read(errors), as: UTF8.self)
    return (wait(), text, complaints)
  }

  /// Waits for its exit, and returns what it said. The status of one that was killed is -1.
  func finish() -> (status: Int32, output: String, errors: String) {
    let end = end()
    return (end.signal <= 0 ? -end.signal : -1, end.output, end.errors)
  }
}
