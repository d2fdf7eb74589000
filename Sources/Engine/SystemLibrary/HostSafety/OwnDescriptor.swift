/// The inode and the device of a file, which stay the same while the file is open or mapped.
package struct FileIdentity: Equatable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  package init(_ information: stat) {
    device = UInt64(truncatingIfNeeded: information.st_dev)
    inode = UInt64(truncatingIfNeeded: information.st_ino)
  }

  /// Creates the identity of an open file, or returns nil if the descriptor isn't open.
  package init?(_ descriptor: Int32) {
    var information = stat()
    guard descriptor >= 0, fstat(descriptor, &information) == 0 else { return nil }
    self.init(information)
  }

  /// Creates the identity of the item at the path. For a symbolic link, this is the link itself and
  /// not its target.
  private init?(at path: String) {
    var information = stat()
    guard lstat(path, &information) == 0 else { return nil }
    self.init(information)
  }

  /// Deletes this file, unless another file is now at the path.
  package func remove(at path: String) {
    if FileIdentity(at: path) == self { unlink(path) }
  }
}

/// The descriptors that belong to the recorder.
///
/// A program can close a descriptor that it doesn't own (daemons close all above 2) and reuse the
/// number for its own file. So the recorder compares the file of a descriptor with its own file
/// right before each call that would change the file. The remaining risk is a program that does
/// both in between, within a microsecond. High numbers, which programs rarely reach, make that even
/// less likely.
package enum OwnDescriptor {
  /// The lowest descriptor: above the descriptors that most programs have open, and below the limit
  /// of every system.
  private static let lowest: Int32 = 200

  /// Opens a file with a descriptor that is neither a standard stream nor likely to be reused by
  /// the program soon. A terminal doesn't become the controlling terminal of the process.
  package static func open(_ path: String, _ flags: Int32, _ mode: mode_t = 0o644) -> Int32 {
    let flags = flags | O_CLOEXEC | O_NOCTTY
    let first = systemOpen(path, flags, mode)
    guard first >= 0 else { return first }
    let second = copy(of: first)
    // If a higher descriptor isn't free, any descriptor above the standard streams is good enough.
    if second < 0, first > STDERR_FILENO { return first }
    let error = errno
    if second < 0 || FileIdentity(first) == FileIdentity(second) { _ = systemClose(first) }
    errno = error
    return second
  }

  /// Returns the first bytes of a file, or nil if the file is empty or can't be read.
  package static func bytes(of path: String, upTo count: Int) -> [UInt8]? {
    let file = open(path, O_RDONLY)
    guard let identity = FileIdentity(file) else { return nil }
    defer { close(file, identity) }
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = max(0, read(file, buffer.baseAddress, count))
    }
    return bytes.isEmpty ? nil : bytes
  }

  /// Returns another descriptor of the same open file.
  package static func copy(of descriptor: Int32) -> Int32 {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, lowest)
    return copy >= 0 ? copy : fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
  }

  /// Returns whether the descriptor still refers to the file.
  package static func isOpen(_ descriptor: Int32, _ identity: FileIdentity) -> Bool {
    FileIdentity(descriptor) == identity
  }

  /// Closes the descriptor unless it now belongs to another file.
  package static func close(_ descriptor: Int32, _ identity: FileIdentity) {
    if isOpen(descriptor, identity) { _ = systemClose(descriptor) }
  }
}
