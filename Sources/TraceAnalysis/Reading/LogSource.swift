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
    case descriptor(OpenFile, start: Int)
    /// A file that is opened whenever it is read, and which one it is.
    case path(String, device: UInt64, number: UInt64)
    case memory([UInt8])
  }

  /// A descriptor that is closed with the last source that reads it.
  private final class OpenFile: Sendable {
    let descriptor: Int32
    /// Whether the bytes came out of a pipe or were compressed: then this is another file.
    let isSpool: Bool
    private let closes: Bool

    init(_ descriptor: Int32, isSpool: Bool, closes: Bool) {
      self.descriptor = descriptor
      self.isSpool = isSpool
      self.closes = closes
    }

    deinit { if closes { close(descriptor) } }
  }

  private let storage: Storage

  /// Opens a file.
  ///
  /// - Parameter staysOpen: false where there are so many files that the system would not let all of them be open.
  package convenience init(path: String, staysOpen: Bool = true) throws(LogError) {
    let descriptor = LogSource.openToRead(path)
    guard descriptor >= 0 else { throw LogSource.openError(path, errno) }
    var status = stat()
    if !staysOpen, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      !Gzip.isCompressed(descriptor, at: 0), ForeignFormat.of(descriptor, at: 0) == nil
    {
      close(descriptor)
      self.init(path: path, status)
      return
    }
    try self.init(name: path, descriptor: descriptor, closes: true)
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
    try LogSource(name: "standard input", descriptor: STDIN_FILENO, closes: false)
  }

  /// Takes bytes that are there already.
  package init(name: String, bytes: [UInt8]) {
    self.name = name
    path = name
    size = bytes.count
    packingFaults = []
    storage = .memory(bytes)
  }

  /// Takes over a descriptor that `closes`, also where it throws.
  private init(name: String, descriptor: Int32, closes: Bool) throws(LogError) {
    self.name = RawPath.shown(name)
    path = name
    do throws(LogError) {
      let opened = try LogSource.readable(descriptor, name: name)
      size = opened.size
      packingFaults = opened.faults
      let isSpool = opened.descriptor != descriptor
      let file = OpenFile(opened.descriptor, isSpool: isSpool, closes: closes || isSpool)
      storage = .descriptor(file, start: opened.start)
      if closes, opened.descriptor != descriptor { close(descriptor) }
    } catch {
      if closes { close(descriptor) }
      throw error
    }
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
    guard case .descriptor(let file, 0) = storage, fstat(file.descriptor, &status) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return LogSource(self, size: max(0, Int(status.st_size)))
  }

  /// Whether there is anything of that name.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return LogSource.status(path, &status)
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
    guard fstat(file.descriptor, &status) == 0 else { return false }
    return named.st_ino == status.st_ino && named.st_dev == status.st_dev
  }

  /// How long the file is now; nil where it is not that file any more. What came out of a pipe stays as long as it was.
  var sizeNow: Int? {
    var status = stat()
    switch storage {
    case .memory: return size
    case .descriptor(let file, let start):
      if file.isSpool { return size }
      return fstat(file.descriptor, &status) == 0 ? max(0, Int(status.st_size) - start) : nil
    case .path(let path, let device, let number):
      guard LogSource.status(path, &status), UInt64(truncatingIfNeeded: status.st_dev) == device,
        UInt64(truncatingIfNeeded: status.st_ino) == number
      else { return nil }
      return max(0, Int(status.st_size))
    }
  }

  private typealias Opened = (
    descriptor: Int32, start: Int, size: Int, faults: [PackingFault]
  )

  /// What can be read from any place: the descriptor itself, or one of a file with all that came out of it.
  private static func readable(_ descriptor: Int32, name: String) throws(LogError) -> Opened {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw .cannotOpen(name, reason: String(cString: strerror(errno)))
    }
    if status.st_mode & S_IFMT == S_IFDIR { throw .directory(name) }
    var opened: Opened
    if status.st_mode & S_IFMT == S_IFREG {
      // Standard input may have been read in part by whoever handed it on.
      let start = max(0, Int(lseek(descriptor, 0, SEEK_CUR)))
      opened = (descriptor, start, max(0, Int(status.st_size) - start), [])
    } else {
      let spool = try Spool(name)
      opened = (spool.descriptor, 0, try spool.fill(from: descriptor), [])
    }
    if let format = ForeignFormat.of(opened.descriptor, at: opened.start) {
      if opened.descriptor != descriptor { close(opened.descriptor) }
      throw .foreign(name, format)
    }
    guard Gzip.isCompressed(opened.descriptor, at: opened.start) else { return opened }
    defer { if opened.descriptor != descriptor { close(opened.descriptor) } }
    let spool = try Spool(name)
    let unpacked = try Gzip.unpack(opened.descriptor, at: opened.start, into: spool, name: name)
    return (spool.descriptor, 0, unpacked.size, unpacked.faults)
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
      return try read(file.descriptor, base, wanted, start + offset)
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
