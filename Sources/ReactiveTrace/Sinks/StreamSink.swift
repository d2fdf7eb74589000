import Synchronization
import SystemLibrary
import TraceFormat

/// A sink that writes to the program's own standard output or standard error, if that is a file.
///
/// It writes line by line, at the same file position as the program. The recorder never maps,
/// truncates or pads this file.
final class StreamSink: LogSink {
  private let path: String
  private let identity: FileIdentity
  /// A copy of the stream's descriptor, because the program can close the stream. If the program
  /// also closes the copy, the sink makes a new one.
  private let descriptor: Atomic<Int32>
  /// A lock that prevents recorders of other processes with the same path from replacing the file.
  private let lock: SharedLock?
  private let isBroken = Atomic<Bool>(false)

  /// Creates a sink, or returns nil if `path` isn't a standard stream.
  init?(_ path: String) throws(TraceError) {
    var information = stat()
    guard stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    let identity = FileIdentity(information)
    let streams = Self.streams(of: identity)
    guard !streams.isEmpty else { return nil }
    // A file that the program only reads must be neither truncated nor written.
    guard streams.contains(where: Self.isWritten) else { throw .cannotWrite(path, EBUSY) }
    let copy = Self.copy(of: identity)
    guard copy >= 0 else { throw .cannotWrite(path, errno) }
    self.path = path
    self.identity = identity
    descriptor = Atomic(copy)
    lock = SharedLock(path, identity)
  }

  /// Returns the standard streams of a file. This doesn't use generic functions of the standard
  /// library. If a forked child is the first to call this, such a function would have to make a
  /// type, and would wait forever for a lock that a thread of the parent held.
  private static func streams(of identity: FileIdentity) -> [Int32] {
    var streams: [Int32] = []
    for stream in [STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO]
    where FileIdentity(stream) == identity { streams.append(stream) }
    return streams
  }

  private static func isWritten(_ stream: Int32) -> Bool {
    fcntl(stream, F_GETFL) & O_ACCMODE != O_RDONLY
  }

  private static func copy(of identity: FileIdentity) -> Int32 {
    streams(of: identity).first(where: isWritten).map { OwnDescriptor.copy(of: $0) } ?? -1
  }

  var isImmediate: Bool { false }

  func take(_ line: [UInt8]) {
    guard !isBroken.load(ordering: .relaxed) else { return }
    let error = isOpen ? ByteOutput.write(line, to: descriptor.load(ordering: .relaxed)) : EBADF
    guard error != 0 else { return }
    isBroken.store(true, ordering: .relaxed)
    let reason = error == EBADF ? "the program has closed it" : SystemError.reason(error)
    Diagnostics.warn("cannot write more of the log to '\(path)': \(reason). The program continues.")
  }

  /// A Boolean value that indicates whether the sink has an open copy. If the program has closed
  /// the previous copy, the sink makes a new one.
  private var isOpen: Bool {
    if OwnDescriptor.isOpen(descriptor.load(ordering: .relaxed), identity) { return true }
    let copy = Self.copy(of: identity)
    descriptor.store(copy, ordering: .relaxed)
    return copy >= 0
  }

  func close() {
    OwnDescriptor.close(descriptor.load(ordering: .relaxed), identity)
    lock?.release()
  }
}
