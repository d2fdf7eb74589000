internal import TraceShims

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Darwin
#endif

/// Logs that were compressed, unpacked by the gzip that the machine has.
enum Gzip {
  /// Whether the two bytes that every gzip file begins with stand here; no line of a log begins with them.
  static func isCompressed(_ descriptor: Int32, at start: Int) -> Bool {
    var magic: (UInt8, UInt8) = (0, 0)
    let count = withUnsafeMutableBytes(of: &magic) {
      pread(descriptor, $0.baseAddress, 2, off_t(start))
    }
    return count == 2 && magic == (0x1F, 0x8B)
  }

  /// Unpacks a file into a spool, which is closed where that fails, and returns how many bytes came out.
  static func unpack(
    _ descriptor: Int32, at start: Int, into spool: Spool, name: String
  ) throws(LogError) -> Int {
    var ends: [Int32] = [0, 0]
    guard lseek(descriptor, off_t(start), SEEK_SET) >= 0, pipe(&ends) == 0 else {
      close(spool.descriptor)
      throw .cannotUnpack(name, reason: String(cString: strerror(errno)))
    }
    let child: pid_t
    do throws(LogError) {
      child = try spawn(input: descriptor, output: ends[1], closing: ends[0], name: name)
    } catch {
      close(ends[0])
      close(ends[1])
      close(spool.descriptor)
      throw error
    }
    close(ends[1])
    let filled = Result { () throws(LogError) -> Int in try spool.fill(from: ends[0]) }
    close(ends[0])
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    let size = try filled.get()
    guard status == 0 else {
      close(spool.descriptor)
      throw .cannotUnpack(name, reason: "gzip finds it damaged or cut short")
    }
    return size
  }

  private static func spawn(
    input: Int32, output: Int32, closing: Int32, name: String
  ) throws(LogError) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addclose(&actions, closing)
    posix_spawn_file_actions_addclose(&actions, output)
    var arguments = [strdup("gzip"), strdup("-dc"), nil]
    defer { for argument in arguments { free(argument) } }
    var child: pid_t = 0
    let code = posix_spawnp(&child, "gzip", &actions, nil, &arguments, trace_environment())
    guard code == 0 else { throw .noGzip(name) }
    return child
  }
}
