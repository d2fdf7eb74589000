package import Foundation

/// A namespace for functions that start processes for tests, with the limits of `ProcessLimits`.
///
/// Foundation's `Process` is not suitable. Its processes inherit the pipes of other processes that
/// start at the same time. A reader of such a pipe doesn't get to the end until all of these
/// processes have ended.
package enum Spawner {
  package struct Failure: Error {
    package let path: String
    package let reason: String
  }

  /// The file for a descriptor of the new process.
  package enum File {
    /// A descriptor of this process.
    case descriptor(Int32)
    /// A path that the new process opens for reading and writing.
    case path(String)
  }

  /// Starts the program as the leader of its own process group, or of its own session if
  /// `newSession` is true. A session gets the first terminal that the program opens.
  ///
  /// The program starts with no signal blocked or ignored.
  ///
  /// - Parameters:
  ///   - environment: The complete environment of the program.
  ///   - files: The files for the program's descriptors, in the order in which to set them up.
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
    // Threads of tests block signals, and the process that runs the tests may ignore some.
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

  /// Returns the ends of a new pipe that no other process inherits.
  package static func pipe() throws -> (read: Int32, write: Int32) {
    try ends("pipe") { Foundation.pipe(&$0) }
  }

  /// Returns the ends of a new pair of stream sockets that no other process inherits. The one for
  /// writing doesn't block.
  package static func nonBlockingSocket() throws -> (read: Int32, write: Int32) {
    #if canImport(Darwin)
      let type = SOCK_STREAM
    #else
      let type = Int32(SOCK_STREAM.rawValue)
    #endif
    let sockets = try ends("socketpair") { socketpair(AF_UNIX, type, 0, &$0) }
    _ = fcntl(sockets.write, F_SETFL, O_NONBLOCK)
    return sockets
  }

  private static func ends(
    _ name: String, _ make: (inout [Int32]) -> Int32
  ) throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    // The lock keeps any process from starting between the creation of the ends and their
    // close-on-exec flags.
    spawning.lock()
    let code = make(&ends)
    let error = errno
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    spawning.unlock()
    guard code == 0 else { throw Failure(path: name, reason: String(cString: strerror(error))) }
    return (ends[0], ends[1])
  }

  /// Waits until a process has ended, and returns how it ended.
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

/// The way a process ended.
package enum ProcessEnding: Equatable {
  case exited(Int32)
  case killed(by: Int32)
}
