import SystemLibrary
import TraceFormat

/// A fault of a compressed log. Everything that its program decompressed was read.
package struct PackingFault: Equatable, Sendable {
  /// The kind: `packingCut`, `packingDamaged` or `packingTrailed`.
  package let kind: Damage.Kind
  /// The range of unpacked bytes that may be wrong, or the offset at which something is missing.
  package let range: Range<Int>
  /// The line in which the range ends, from 1.
  package let line: Int
}

/// A program of the system that decompresses a file: a child process that reads the file itself,
/// and writes into a pipe.
struct Decompressor: ~Copyable {
  private let program: String
  private let process: pid_t
  private let output: Int32
  private let errors: Int32

  /// The number of seconds that a program may take for its next bytes, and for ending after them.
  private static let patience = 60

  /// Unpacks a file into a spool.
  ///
  /// - Returns: The number of unpacked bytes, and the fault, if any.
  static func unpack(
    _ file: Int32, at start: Int, with program: String, into spool: Spool, name: String,
    patience: Int = Decompressor.patience
  ) throws(LogError) -> (size: Int, fault: PackingFault?) {
    guard let path = path(of: program) else { throw .noDecompressor(name, program: program) }
    lseek(file, off_t(start), SEEK_SET)
    let child = try Decompressor(program, path, reading: file, name: name)
    let size: Int
    do throws(LogError) {
      size = try spool.fill(from: child.output, patience: patience)
    } catch {
      kill(child.process, SIGKILL)
      _ = child.reap(within: patience)
      throw error
    }
    let status = child.reap(within: patience)
    if status == 0 { return (size, nil) }
    let message = child.message()
    // A signal has ended the program, so nothing is known about the file.
    let isKilled = status.map { $0 & 0x7F != 0 } ?? false
    if size == 0 || isKilled {
      throw .cannotUnpack(name, program: program, reason: message)
    }
    return (size, fault(of: spool, size, status.map { $0 >> 8 & 0xFF }, message))
  }

  /// Returns the path of a program. It ignores folders of `PATH` that are relative to the current
  /// one, which may come from the same source as the log.
  private static func path(of program: String) -> String? {
    let folders = getenv("PATH").map { RawPath.make($0) } ?? "/usr/bin:/bin"
    return folders.split(separator: ":").lazy.filter { $0.hasPrefix("/") }
      .map { "\($0)/\(program)" }
      .first { LogSource.isFile($0) && RawPath.with($0) { access($0, X_OK) } == 0 }
  }

  private static func fault(
    of spool: Spool, _ size: Int, _ code: Int32?, _ message: String
  ) -> PackingFault {
    let line = spool.lineEnds() + 1
    // gzip warns about other data after the end. In the C locale, each program words a missing end
    // in one of these ways.
    if code == 2 { return PackingFault(kind: .packingTrailed, range: size..<size, line: line) }
    let isCut = ["unexpected end", "premature"].contains(where: message.lowercased().contains)
    return isCut
      ? PackingFault(kind: .packingCut, range: size..<size, line: line)
      : PackingFault(kind: .packingDamaged, range: 0..<size, line: line)
  }

  private init(
    _ program: String, _ path: String, reading file: Int32, name: String
  ) throws(LogError) {
    guard let (output, outputEnd) = Self.makePipe() else {
      throw .cannotUnpack(name, program: program, reason: SystemError.reason(errno))
    }
    defer { close(outputEnd) }
    guard let (errors, errorsEnd) = Self.makePipe() else {
      let reason = SystemError.reason(errno)
      close(output)
      throw .cannotUnpack(name, program: program, reason: reason)
    }
    defer { close(errorsEnd) }
    var process = pid_t()
    let code = Self.spawn(
      path, [program, "-dc"], files: [file, outputEnd, errorsEnd], process: &process)
    guard code == 0 else {
      close(output)
      close(errors)
      throw .cannotUnpack(name, program: program, reason: SystemError.reason(code))
    }
    self.program = program
    self.process = process
    self.output = output
    self.errors = errors
  }

  deinit {
    close(output)
    close(errors)
  }

  /// Returns the ends of a pipe. They aren't the descriptors of standard streams, no program
  /// inherits them, and reading doesn't block.
  private static func makePipe() -> (read: Int32, write: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    let copies = ends.map { fcntl($0, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) }
    for end in ends { close(end) }
    guard copies[0] >= 0, copies[1] >= 0 else {
      for copy in copies where copy >= 0 { close(copy) }
      return nil
    }
    _ = fcntl(copies[0], F_SETFL, O_NONBLOCK)
    return (copies[0], copies[1])
  }

  /// Starts a program with three standard streams and without any other descriptor, with the
  /// default actions of signals, and with no variable that changes what it does or prints.
  ///
  /// - Returns: 0 or an error number.
  private static func spawn(
    _ path: String, _ words: [String], files: [Int32], process: inout pid_t
  ) -> Int32 {
    #if canImport(Darwin)
      var attributes: posix_spawnattr_t?
      var actions: posix_spawn_file_actions_t?
      var flags = POSIX_SPAWN_CLOEXEC_DEFAULT
    #else
      var attributes = posix_spawnattr_t()
      var actions = posix_spawn_file_actions_t()
      var flags: Int32 = 0
    #endif
    posix_spawnattr_init(&attributes)
    posix_spawn_file_actions_init(&actions)
    defer {
      posix_spawnattr_destroy(&attributes)
      posix_spawn_file_actions_destroy(&actions)
    }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGPIPE, SIGCHLD, SIGXFSZ] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    flags |= Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    for (stream, file) in zip(Int32(0)..., files) {
      posix_spawn_file_actions_adddup2(&actions, file, stream)
    }
    #if !canImport(Darwin)
      let limit = min(ResourceLimit.descriptors.current ?? 1024, 4096)
      for number in 3..<Int32(max(3, limit)) where fcntl(number, F_GETFD) & FD_CLOEXEC == 0 {
        posix_spawn_file_actions_addclose(&actions, number)
      }
    #endif
    let variables = ["LC_ALL=C"] + (getenv("PATH").map { ["PATH=" + String(cString: $0)] } ?? [])
    var arguments = words.map { strdup($0) } + [nil]
    var environment = variables.map { strdup($0) } + [nil]
    defer { for text in arguments + environment { free(text) } }
    return RawPath.with(path) {
      posix_spawn(&process, $0, &actions, &attributes, &arguments, &environment)
    }
  }

  /// Waits for the end of the program, and ends it by force if that takes too long.
  ///
  /// - Returns: The status; nil if the system doesn't keep it.
  private func reap(within patience: Int) -> Int32? {
    let end = ContinuousClock.now + .seconds(patience)
    var status: Int32 = 0
    while true {
      let found = waitpid(process, &status, WNOHANG)
      if found == process { return status }
      if found < 0, errno != EINTR { return nil }
      if ContinuousClock.now > end { kill(process, SIGKILL) }
      usleep(200)
    }
  }

  /// Returns the first line that the program printed about a problem, in printable characters.
  private func message() -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = systemRead(errors, &bytes, bytes.count)
    var line = bytes.prefix(max(0, count)).drop { $0 == 0x0A }.prefix { $0 != 0x0A }
    while line.last == 0x20 { line.removeLast() }
    let text = String(
      decoding: line.filter { (0x20..<0x7F).contains($0) }.prefix(200), as: UTF8.self)
    return text.isEmpty ? "\(program) failed" : text
  }
}
