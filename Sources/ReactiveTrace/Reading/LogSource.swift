#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The bytes of a log, which can be read from any place any number of times.
///
/// They are read, not mapped: a program that exits cuts its log to length, and a mapping that reaches past the new end
/// kills its reader with SIGBUS. Reading in pieces that stay in the cache costs no more than mapping does. What cannot
/// be read twice (a pipe) is kept in memory.
package struct LogSource: ~Copyable {
  /// The name to use in messages.
  package let name: String

  private enum Storage {
    /// An open file, and where in it the log begins.
    case descriptor(Int32, start: Int, closes: Bool)
    case memory([UInt8])
  }

  private let storage: Storage

  /// Opens a file.
  package init(path: String) throws(LogError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw LogSource.openError(path, errno) }
    do {
      try self.init(name: path, descriptor: descriptor, closes: true)
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Reads what the process was given as its standard input.
  package static func standardInput() throws(LogError) -> LogSource {
    try LogSource(name: "standard input", descriptor: STDIN_FILENO, closes: false)
  }

  /// Takes bytes that are there already.
  package init(name: String, bytes: [UInt8]) {
    self.name = name
    storage = .memory(bytes)
  }

  private init(name: String, descriptor: Int32, closes: Bool) throws(LogError) {
    self.name = name
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw .cannotOpen(name, reason: String(cString: strerror(errno)))
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      throw .directory(name)
    case S_IFREG:
      // Standard input may have been read in part by whoever handed it on.
      let start = max(0, Int(lseek(descriptor, 0, SEEK_CUR)))
      storage = .descriptor(descriptor, start: start, closes: closes)
    default:
      storage = .memory(try LogSource.readAll(descriptor, name: name))
      if closes { close(descriptor) }
    }
  }

  deinit {
    if case .descriptor(let descriptor, _, closes: true) = storage { close(descriptor) }
  }

  /// Fills `buffer` with the bytes from `offset` on, as far as there are any; returns how many there were.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, from offset: Int
  ) throws(LogError) -> Int {
    guard let base = buffer.baseAddress, buffer.count > 0, offset >= 0 else { return 0 }
    switch storage {
    case .memory(let bytes):
      let count = min(buffer.count, max(0, bytes.count - offset))
      bytes.withUnsafeBytes { source in
        if count > 0, let start = source.baseAddress { memcpy(base, start + offset, count) }
      }
      return count
    case .descriptor(let descriptor, let start, _):
      while true {
        let count = pread(descriptor, base, buffer.count, off_t(start + offset))
        if count >= 0 { return count }
        guard errno == EINTR else {
          throw .cannotRead(name, reason: String(cString: strerror(errno)))
        }
      }
    }
  }

  /// The bytes at a place that was read before; fewer if the file has become shorter since.
  package func bytes(at place: TraceRecord.Place) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: place.length) { buffer, count in
      count = (try? read(into: UnsafeMutableRawBufferPointer(buffer), from: place.offset)) ?? 0
    }
  }

  private static func readAll(_ descriptor: Int32, name: String) throws(LogError) -> [UInt8] {
    var bytes: [UInt8] = []
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { piece.deallocate() }
    while true {
      #if canImport(Glibc)
        let count = Glibc.read(descriptor, piece.baseAddress, piece.count)
      #elseif canImport(Musl)
        let count = Musl.read(descriptor, piece.baseAddress, piece.count)
      #else
        let count = Darwin.read(descriptor, piece.baseAddress, piece.count)
      #endif
      if count == 0 { return bytes }
      if count > 0 {
        bytes.append(contentsOf: piece[..<count])
      } else if errno != EINTR {
        throw .cannotRead(name, reason: String(cString: strerror(errno)))
      }
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
