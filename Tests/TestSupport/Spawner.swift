package import Foundation

/// Starts processes for tests, with the limits of `ProcessLimits`.
///
/// Foundation's `Process` is not used: what it starts inherits the pipes of others that are started at the same time, so that
/// the end of a pipe comes only when all of them have ended.
package enum Spawner {
  package struct Failure: Error {
    package let path: String
    package let reason: String
  }

  /// What a descriptor of the new process is.
  package enum File {
    /// A descriptor of this process.
    case descriptor(Int32)
    /// Opened by the new process, for reading and writing.
    case path(String)
  }

  /// Starts the program as the leader of a group of its own, or of a session, which has the first terminal that it opens.
  ///
  /// It starts with no signal blocked or ignored.
  ///
  /// - Parameters:
  ///   - environment: all of it.
  ///   - files: its descriptors, in their order.
  package static func start(
    _ path: String, _ arguments: [String], environment: [String: String],
    files: [(Int32, File)], newSession: Bool = false
  ) throws -> pid_t {
    ProcessLimits.apply()
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
      let sessionFlag: Int16 = 0x400
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
      let sessionFlag: Int16 = 0x80
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (number, file) in files {
      switch file {
      case .descriptor(let source):
        posix_spawn_file_actions_adddup2(&actions, source, number)
      case .path(let path):
        posix_spawn_file_actions_addopen(&actions, number, path, O_RDWR, 0)
      }
    }
    // Threads of tests block signals, and whoever runs the tests may have some ignored.
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      (newSession ? sessionFlag : Int16(POSIX_SPAWN_SETPGROUP))
        | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))

    var process: pid_t = 0
    spawning.lock()
    defer { spawning.unlock() }
    let code = withStrings([path] + arguments) { arguments in
      withStrings(environment.map { "\($0.key)=\($0.value)" }) {
        posix_spawn(&process, path, &actions, &attributes, arguments, $0)
      }
    }
    guard code == 0 else { throw Failure(path: path, reason: String(cString: strerror(code))) }
    return process
  }

  /// A pipe that no other process inherits.
  package static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    // No process is started between the making of a pipe and its mark.
    spawning.lock()
    let code = Foundation.pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    spawning.unlock()
    guard code == 0 else { throw Failure(path: "pipe", reason: String(cString: strerror(errno))) }
    return (ends[0], ends[1])
  }

  /// Waits until a process has ended.
  package static func reap(_ process: pid_t) -> ProcessEnding {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(by: signal)
  }

  private static let spawning = NSLock()

  private static func withStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let pointers = texts.map { strdup($0) }
    defer { pointers.forEach { free($0) } }
    return body(pointers + [nil])
  }
}

/// How a process ended.
package enum ProcessEnding: Equatable {
  case exited(Int32)
  case killed(by: Int32)
}
