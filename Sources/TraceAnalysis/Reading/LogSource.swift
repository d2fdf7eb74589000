import SystemLibrary
package import TraceFormat

/// The bytes of a log, which can be read from any place any number of times, by any thread.
///
/// They are read, not mapped: a program that exits cuts its log to length, and a mapping that reaches past the new end
/// kills its reader with SIGBUS. Reading in pieces that stay in the cache costs no more than mapping does. What cannot
/// be read twice (a pipe) or is compressed goes to a file without a name first.
package final class LogSource: Sendable {
  /// The name to use in messages.
  package let name: String
  /// What to open it by again, where it has a name.
  let path: String
  /// How many bytes there were when it was opened; a log that goes on growing is read up to here.
  package let size: Int
  /// What is wrong with it as a compressed file.
  package let packingFaults: [PackingFault]

  private enum Storage: Sendable {
    /// An open file, and where in it the log begins.
    case descriptor(SharedDescriptor, start: Int)
    /// A file that is opened whenever it is read, and which one it is.
    case path(String, device: UInt64, number: UInt64)
    case memory([UInt8])
  }

  private let storage: Storage

  /// Opens a file, which stays open.
  package convenience init(path: String) throws(LogError) {
    var spool: SharedDescriptor?
    try self.init(name: path, LogSource.opened(path), unpackingInto: &spool)
  }

  /// Opens one of so many files that the system would not let all of them be open: it is opened whenever it is read.
  ///
  /// - Parameter spool: takes what a compressed one unpacks to, together with that of others; made for the first.
  convenience init(path: String, unpackingInto spool: inout SharedDescriptor?) throws(LogError) {
    let file = try LogSource.opened(path)
    var status = stat()
    if fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      !Gzip.isCompressed(file.number, at: 0), ForeignFormat.of(file.number, at: 0) == nil
    {
      self.init(path: path, status)
    } else {
      try self.init(name: path, file, unpackingInto: &spool)
    }
  }

  private static func opened(_ path: String) throws(LogError) -> SharedDescriptor {
    let descriptor = LogSource.openToRead(path)
    guard descriptor >= 0 else { throw LogSource.openError(path, errno) }
    return SharedDescriptor(descriptor)
  }

  private init(path: String, _ status: stat) {
    name = RawPath.shown(path)
    self.path = path
    size = max(0, Int(status.st_size))
    packingFaults = []
    storage = .path(
      path, device: UInt64(truncatingIfNeeded: status.st_dev),
      number: UInt64(truncatingIfNeeded: status.st_ino))
  }

  /// Throws what opening a file would throw, without reading any of it.
  package static func check(_ path: String) throws(LogError) {
    var status = stat()
    guard LogSource.status(path, &status) else { throw openError(path, errno) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw .directory(path)
    // Whoever opens a pipe takes what is written to it.
    case S_IFREG: if RawPath.with(path, { access($0, R_OK) }) != 0 { throw openError(path, errno) }
    default: break
    }
  }

  /// Reads what the process was given as its standard input, to its end where that is a pipe.
  package static func standardInput() throws(LogError) -> LogSource {
    var spool: SharedDescriptor?
    let file = SharedDescriptor(STDIN_FILENO, closes: false)
    return try LogSource(name: "standard input", file, unpackingInto: &spool)
  }

  /// Takes bytes that are there already.
  package init(name: String, bytes: [UInt8]) {
    self.name = name
    path = name
    size = bytes.count
    packingFaults = []
    storage = .memory(bytes)
  }

  private init(
    name: String, _ file: SharedDescriptor, unpackingInto spool: inout SharedDescriptor?
  ) throws(LogError) {
    self.name = RawPath.shown(name)
    path = name
    let opened = try LogSource.readable(file, name: name, unpackingInto: &spool)
    size = opened.size
    packingFaults = opened.faults
    storage = .descriptor(opened.file, start: opened.start)
  }

  /// The same file at another length.
  private init(_ source: LogSource, size: Int) {
    name = source.name
    path = source.path
    storage = source.storage
    packingFaults = source.packingFaults
    self.size = size
  }

  /// The same file with what was written since it was opened; nil where nothing can tell how long it is now.
  package var atPresentLength: LogSource? {
    var status = stat()
    guard case .descriptor(let file, 0) = storage, fstat(file.number, &status) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return LogSource(self, size: max(0, Int(status.st_size)))
  }

  /// Whether there is anything of that name.
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

  /// Whether its name is still that of this file; nil where nothing has the name.
  package var hasItsName: Bool? {
    var named = stat()
    var status = stat()
    guard case .descriptor(let file, _) = storage, !file.isSpool,
      LogSource.status(path, &named)
    else { return nil }
    guard fstat(file.number, &status) == 0 else { return false }
    return named.st_ino == status.st_ino && named.st_dev == status.st_dev
  }

  /// How long the file is now; nil where it is not that file any more. What came out of a pipe stays as long as it was.
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
    file: SharedDescriptor, start: Int, size: Int, faults: [PackingFault]
  )

  /// What can be read from any place: the file itself, or one with all that came out of it.
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
      // Standard input may have been read in part by whoever handed it on.
      let start = max(0, Int(lseek(file.number, 0, SEEK_CUR)))
      opened = (file, start, max(0, Int(status.st_size) - start), [])
    } else {
      let spool = try Spool(name)
      opened = (spool.file, 0, try spool.fill(from: file.number), [])
    }
    try refuseForeign(opened.file, at: opened.start, name: name)
    guard Gzip.isCompressed(opened.file.number, at: opened.start) else { return opened }
    let spool = try Spool(name, in: shared)
    shared = spool.file
    let (size, faults) = try Gzip.unpack(
      opened.file.number, at: opened.start, into: spool, name: name)
    try refuseForeign(spool.file, at: spool.start, name: name)
    if Gzip.isCompressed(spool.file.number, at: spool.start) { throw .packedTwice(name) }
    return (spool.file, spool.start, size, faults)
  }

  private static func refuseForeign(
    _ file: SharedDescriptor, at start: Int, name: String
  ) throws(LogError) {
    if let format = ForeignFormat.of(file.number, at: start) { throw .foreign(name, format) }
  }

  /// Fills `buffer` with the bytes from `offset` on, as far as there are any; returns how many there were.
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

  /// The bytes at a place that was read before; fewer if the file has become shorter since.
  package func bytes(at place: TraceRecord.Place) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: place.length) { buffer, count in
      count = (try? read(into: UnsafeMutableRawBufferPointer(buffer), from: place.offset)) ?? 0
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
