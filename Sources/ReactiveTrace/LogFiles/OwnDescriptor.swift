import SystemLibrary

/// A file's number and device, which stay with it as long as it is open or mapped anywhere.
struct FileIdentity: Equatable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  init(_ information: stat) {
    device = UInt64(truncatingIfNeeded: information.st_dev)
    inode = UInt64(truncatingIfNeeded: information.st_ino)
  }

  /// That of an open file; nil where nothing is open under this number.
  init?(_ descriptor: Int32) {
    var information = stat()
    guard descriptor >= 0, fstat(descriptor, &information) == 0 else { return nil }
    self.init(information)
  }

  /// That of what is at the path itself: of a link, not of the file to which it leads.
  private init?(at path: String) {
    var information = stat()
    guard lstat(path, &information) == 0 else { return nil }
    self.init(information)
  }

  /// Deletes the file that is meant; another one that is at the path by now stays.
  func remove(at path: String) {
    if FileIdentity(at: path) == self { unlink(path) }
  }
}

/// Descriptors of the recorder's own.
///
/// A program may close a descriptor that it does not know (daemons close all above 2) and be given the same number for a file
/// of its own. So the file behind a number is compared with ours right before each call that would change it. What remains
/// is a program that does both in between, within a microsecond; a number that no program comes by soon makes that rarer
/// still.
enum OwnDescriptor {
  /// Above what most programs have open, below what every system allows.
  private static let lowest: Int32 = 200

  /// Opens a file under a number that is neither that of a standard stream nor one that the program is given soon. A terminal
  /// does not become that of the process.
  static func open(_ path: String, _ flags: Int32, _ mode: mode_t = 0o644) -> Int32 {
    let flags = flags | O_CLOEXEC | O_NOCTTY
    let first: Int32
    #if canImport(Glibc)
      first = Glibc.open(path, flags, mode)
    #elseif canImport(Musl)
      first = Musl.open(path, flags, mode)
    #else
      first = Darwin.open(path, flags, mode)
    #endif
    guard first >= 0 else { return first }
    let second = copy(of: first)
    // Where there is no other number, one above the standard streams will do.
    if second < 0, first > STDERR_FILENO { return first }
    let error = errno
    if second < 0 || FileIdentity(first) == FileIdentity(second) { _ = LogFile.closeFile(first) }
    errno = error
    return second
  }

  /// The first bytes of a file; nil where there are none.
  static func bytes(of path: String, upTo count: Int) -> [UInt8]? {
    let file = open(path, O_RDONLY)
    guard let identity = FileIdentity(file) else { return nil }
    defer { close(file, identity) }
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = max(0, read(file, buffer.baseAddress, count))
    }
    return bytes.isEmpty ? nil : bytes
  }

  /// Another number for the same open file.
  static func copy(of descriptor: Int32) -> Int32 {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, lowest)
    return copy >= 0 ? copy : fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
  }

  /// Whether the descriptor still is that of the file.
  static func isOpen(_ descriptor: Int32, _ identity: FileIdentity) -> Bool {
    FileIdentity(descriptor) == identity
  }

  /// Closes the descriptor unless it is somebody else's by now.
  static func close(_ descriptor: Int32, _ identity: FileIdentity) {
    if isOpen(descriptor, identity) { _ = LogFile.closeFile(descriptor) }
  }
}
