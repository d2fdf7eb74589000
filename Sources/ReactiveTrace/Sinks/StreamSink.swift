import Synchronization
import SystemLibrary
import TraceFormat

/// A log that goes to the program's own standard output or error, where that is a file: line by line at the place where the
/// program writes too. The recorder never maps, cuts or pads it.
final class StreamSink: LineSink {
  private let path: String
  private let descriptor: Int32
  private let identity: FileIdentity
  private let isBroken = Atomic<Bool>(false)

  /// Nil where `path` is no standard stream.
  init?(_ path: String) throws(TraceError) {
    var information = stat()
    guard stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    identity = FileIdentity(information)
    let streams = [STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO].filter { [identity] in
      FileIdentity($0) == identity
    }
    guard !streams.isEmpty else { return nil }
    // What the program reads is neither cut nor written.
    guard let stream = streams.first(where: { fcntl($0, F_GETFL) & O_ACCMODE != O_RDONLY }) else {
      throw .cannotWrite(path, EBUSY)
    }
    descriptor = OwnDescriptor.copy(of: stream)
    guard descriptor >= 0 else { throw .cannotWrite(path, errno) }
    self.path = path
  }

  var isImmediate: Bool { false }

  func take(_ line: [UInt8]) {
    guard !isBroken.load(ordering: .relaxed), OwnDescriptor.isOpen(descriptor, identity) else {
      return
    }
    let error = CText.write(line, to: descriptor)
    guard error != 0 else { return }
    isBroken.store(true, ordering: .relaxed)
    CText.complain(
      "cannot write more of the log to '\(path)': \(CText.reason(error)). The program runs on.")
  }

  func close() { OwnDescriptor.close(descriptor, identity) }
}
