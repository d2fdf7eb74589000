import SystemLibrary
import TraceFormat

/// The bytes of a log, which any thread can read from any offset any number of times.
///
/// They are read, not mapped: a program that exits truncates its log, and a mapping that reaches
/// past the new end kills its reader with SIGBUS. Reading in pieces that stay in the cache costs no
/// more than mapping. Bytes that can't be read twice (a pipe) or are compressed go to a file
/// without a name first.
package final class LogSource: Sendable {
  /// The name to use in messages.
  package let name: String
  /// The path to open the log with again, if it has a name.
  let path: String
  /// The number of bytes when the log was opened; a log that keeps growing is read up to here.
  package let size: Int
  /// The fault of the log as a compressed file.
  package let packingFault: PackingFault?

  private enum Storage: Sendable {
    /// An open file, and the offset in it at which the log begins.
    case descriptor(SharedDescriptor, start: Int)
    /// A file that is opened for each read, and the numbers that identify it.
    case path(String, device: UInt64, number: UInt64)
    case memory([UInt8])
  }

  private let storage: Storage

  /// Opens a file, which stays open.
  ///
  /// - Parameter name: The name to use in messages instead of the path.
  package convenience init(path: String, name: String? = nil) throws(LogError) {
    var spool: SharedDescriptor?
    try self.init(
      path: path, name: name ?? path, LogSource.opened(path), unpackingInto: &spool)
  }

  /// Opens a file that is reopened for each read, for use when there are too many files to keep all
  /// of them open.
  ///
  /// - Parameter spool: The file that takes the unpacked content of all compressed files. It is
  ///   created for the first one.
  convenience init(
    path: String, name: String? = nil, unpackingInto spool: inout SharedDescriptor?
  ) throws(LogError) {
    let file = try LogSource.opened(path)
    var status = stat()
    if fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      FileFormat.of(file.number, at: 0) == nil
    {
      self.init(path: path, name: name ?? path, status)
    } else {
      try self.init(path: path, name: name ?? path, file, unpackingInto: &spool)
    }
  }

  private static func opened(_ path: String) throws(LogError) -> SharedDescriptor {
    let descriptor = LogSource.openToRead(path)
    guard descriptor >= 0 else { throw LogSource.openError(path, errno) }
    return SharedDescriptor(descriptor)
  }

  private init(path: String, name: String, _ status: stat) {
    self.name = RawPath.shown(name)
    self.path = path
    size = max(0, Int(status.st_size))
    packingFault = nil
    storage = .path(
      path, device: UInt64(truncatingIfNeeded: status.st_dev),
      number: UInt64(truncatingIfNeeded: status.st_ino))
  }

  /// Throws the error that opening a file would throw, without reading any of the file.
  package static func check(_ path: String) throws(LogError) {
    var status = stat()
    guard LogSource.status(path, &status) else { throw openError(path, errno) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw .directory(path)
    // Opening a pipe takes the data that is written to it.
    case S_IFREG: if RawPath.with(path, { access($0, R_OK) }) != 0 { throw openError(path, errno) }
    default: break
    }
  }

  /// Returns the standard input of the process. It is read to its end if it is a pipe.
  package static func standardInput() throws(LogError) -> LogSource {
    var spool: SharedDescriptor?
    let file = SharedDescriptor(STDIN_FILENO, closes: false)
    return try LogSource(
      path: "standard input", name: "standard input", file, unpackingInto: &spool)
  }

  /// Creates a source of bytes in memory.
  package init(name: String, bytes: [UInt8]) {
    self.name = name
    path = name
    size = bytes.count
    packingFault = nil
    storage = .memory(bytes)
  }

  private init(
    path: String, name: String, _ file: SharedDescriptor,
    unpackingInto spool: inout SharedDescriptor?
  ) throws(LogError) {
    self.name = RawPath.shown(name)
    self.path = path
    let opened = try LogSource.readable(file, name: name, unpackingInto: &spool)
    size = opened.size
    packingFault = opened.fault
    storage = .descriptor(opened.file, start: opened.start)
  }

  /// Creates a source of the same file with another size.
  private init(_ source: LogSource, size: Int) {
    name = source.name
    path = source.path
    storage = source.storage
    packingFault = source.packingFault
    self.size = size
  }

  /// A source of the same file with everything that was written since it was opened; nil if the
  /// current length can't be determined.
  var atPresentLength: LogSource? {
    var status = stat()
    guard case .descriptor(let file, 0) = storage, fstat(file.number, &status) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return LogSource(self, size: max(0, Int(status.st_size)))
  }

  /// Reports whether there is anything at a path.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return LogSource.status(path, &status)
  }

  static func isFile(_ path: String) -> Bool { isKind(S_IFREG, path) }
  static func isPipe(_ path: String) -> Bool { isKind(S_IFIFO, path) }

  private static func isKind(_ kind: mode_t, _ path: String) -> Bool {
    var status = stat()
    return LogSource.status(path, &status) && status.st_mode & S_IFMT == kind
  }

  private static func status(_ path: String, _ status: inout stat) -> Bool {
    RawPath.with(path) { stat($0, &status) } == 0
  }

  private static func openToRead(_ path: String) -> Int32 {
    RawPath.with(path) { open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY) }
  }

  /// A Boolean value that indicates whether the file has bytes although its size is 0, as the files
  /// in `/proc` do.
  var isWithoutSize: Bool {
    guard size == 0, Self.isFile(path) else { return false }
    let descriptor = Self.openToRead(path)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    var byte: UInt8 = 0
    // Another process can have written to the file in the meantime.
    return systemRead(descriptor, &byte, 1) > 0 && fstat(descriptor, &status) == 0
      && status.st_size == 0
  }

  /// A Boolean value that indicates whether this file is still at its path; nil if nothing is at
  /// the path.
  var hasItsName: Bool? {
    var named = stat()
    var status = stat()
    guard case .descriptor(let file, _) = storage, !file.isSpool,
      LogSource.status(path, &named)
    else { return nil }
    guard fstat(file.number, &status) == 0 else { return false }
    return named.st_ino == status.st_ino && named.st_dev == status.st_dev
  }

  /// The current size of the file; nil if another file has taken its place. The content of a pipe
  /// keeps its size.
  var sizeNow: Int? {
    var status = stat()
    switch storage {
    case .memory: return size
    case .descriptor(let file, let start):
      if file.isSpool { return size }
      return fstat(file.number, &status) == 0 ? max(0, Int(status.st_size) - start) : nil
    case .path(let path, let device, let number):
      guard LogSource.status(path, &status), UInt64(truncatingIfNeeded: status.st_dev) == device,
        UInt64(truncatingIfNeeded: status.st_ino) == number
      else { return nil }
      return max(0, Int(status.st_size))
    }
  }

  private typealias Opened = (
    file: SharedDescriptor, start: Int, size: Int, fault: PackingFault?
  )

  /// Returns a file that can be read from any offset: the file itself, or a spool with its content.
  private static func readable(
    _ file: SharedDescriptor, name: String, unpackingInto shared: inout SharedDescriptor?
  ) throws(LogError) -> Opened {
    var status = stat()
    guard fstat(file.number, &status) == 0 else {
      throw .cannotOpen(name, reason: String(cString: strerror(errno)))
    }
    if status.st_mode & S_IFMT == S_IFDIR { throw .directory(name) }
    var opened: Opened
    if status.st_mode & S_IFMT == S_IFREG {
      // The process that passed on the standard input may have read a part of it.
      let start = max(0, Int(lseek(file.number, 0, SEEK_CUR)))
      opened = (file, start, max(0, Int(status.st_size) - start), nil)
    } else {
      let spool = try Spool(name)
      opened = (spool.file, 0, try spool.fill(from: file.number), nil)
    }
    guard let format = FileFormat.of(opened.file.number, at: opened.start) else { return opened }
    guard let program = format.program else { throw .foreign(name, format) }
    let spool = try Spool(name, in: shared)
    shared = spool.file
    let (size, fault) = try Decompressor.unpack(
      opened.file.number, at: opened.start, with: program, into: spool, name: name)
    if let format = FileFormat.of(spool.file.number, at: spool.start) {
      throw .foreign(name, format)
    }
    return (spool.file, spool.start, size, fault)
  }

  /// Fills `buffer` with the bytes from `offset` on, up to the end of the log, and returns their
  /// number.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, from offset: Int
  ) throws(LogError) -> Int {
    let wanted = min(buffer.count, size - offset)
    guard let base = buffer.baseAddress, wanted > 0, offset >= 0 else { return 0 }
    switch storage {
    case .memory(let bytes):
      bytes.withUnsafeBytes { source in
        if let start = source.baseAddress { memcpy(base, start + offset, wanted) }
      }
      return wanted
    case .descriptor(let file, let start):
      return try read(file.number, base, wanted, start + offset)
    case .path(let path, let device, let number):
      let descriptor = LogSource.openToRead(path)
      guard descriptor >= 0 else { throw LogSource.openError(path, errno) }
      defer { close(descriptor) }
      var status = stat()
      guard fstat(descriptor, &status) == 0,
        UInt64(truncatingIfNeeded: status.st_dev) == device,
        UInt64(truncatingIfNeeded: status.st_ino) == number
      else { throw .cannotRead(name, reason: "another file has taken its place") }
      return try read(descriptor, base, wanted, offset)
    }
  }

  private func read(
    _ descriptor: Int32, _ base: UnsafeMutableRawPointer, _ count: Int, _ offset: Int
  ) throws(LogError) -> Int {
    while true {
      let count = pread(descriptor, base, count, off_t(offset))
      if count >= 0 { return count }
      guard errno == EINTR else {
        throw .cannotRead(name, reason: String(cString: strerror(errno)))
      }
    }
  }

  /// Returns the bytes at a location that was read before; fewer if the file has become shorter
  /// since.
  package func bytes(at location: TraceRecord.Location) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: location.length) { buffer, count in
      count = (try? read(into: UnsafeMutableRawBufferPointer(buffer), from: location.offset)) ?? 0
    }
  }

  private static func openError(_ path: String, _ code: Int32) -> LogError {
    switch code {
    case ENOENT: .noSuchFile(path)
    case EACCES, EPERM: .noPermission(path)
    default: .cannotOpen(path, reason: String(cString: strerror(code)))
    }
  }
}
