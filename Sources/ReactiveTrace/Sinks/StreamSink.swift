import Synchronization
import SystemLibrary
import TraceFormat

/// A log that goes to the program's own standard output or error, where that is a file: line by line at the place where the
/// program writes too. The recorder never maps, cuts or pads it.
final class StreamSink: LogSink {
  private let path: String
  private let identity: FileIdentity
  /// A copy of the stream's, as the program may close the stream. Where it has closed the copy, it is made again.
  private let descriptor: Atomic<Int32>
  /// Keeps away a recorder of another process that has the same path and would replace the file.
  private let lock: SharedLock?
  private let isBroken = Atomic<Bool>(false)

  /// Nil where `path` is no standard stream.
  init?(_ path: String) throws(TraceError) {
    var information = stat()
    guard stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    let identity = FileIdentity(information)
    let streams = Self.streams(of: identity)
    guard !streams.isEmpty else { return nil }
    // What the program reads is neither cut nor written.
    guard streams.contains(where: Self.isWritten) else { throw .cannotWrite(path, EBUSY) }
    let copy = Self.copy(of: identity)
    guard copy >= 0 else { throw .cannotWrite(path, errno) }
    self.path = path
    self.identity = identity
    descriptor = Atomic(copy)
    lock = SharedLock(path, identity)
  }

  private static func streams(of identity: FileIdentity) -> [Int32] {
    [STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO].filter { FileIdentity($0) == identity }
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
    Diagnostics.warn("cannot write more of the log to '\(path)': \(reason). The program runs on.")
  }

  /// Whether there is a copy, which is made where the program has closed the one before.
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
