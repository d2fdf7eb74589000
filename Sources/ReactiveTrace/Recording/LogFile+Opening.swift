#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Darwin
#endif

extension LogFile {
  /// A file that is locked, has its header and is mapped.
  struct Opened {
    var path: String
    var descriptor: Int32
    var base: UnsafeMutableRawPointer
    var mappedSize: Int
    var size: Int
    var headerSize: Int
  }

  /// Opens the first of `path`, `path.2`, `path.3`, ... that no living process writes; a log nobody writes is replaced.
  package convenience init(
    path: String, header: [UInt8], limit: Int? = nil
  ) throws(TraceError) {
    var number = 1
    while true {
      let candidate = LogPath.candidate(path, number)
      if let file = try Self.lock(candidate) {
        do throws(TraceError) {
          let limit = limit.map { max($0, header.count + 1) - Growth.reserve } ?? Int.max
          self.init(try Self.prepare(file, candidate, header), limit: limit)
          return
        } catch {
          _ = Self.closeFile(file)
          throw error
        }
      }
      number += 1
    }
  }

  /// The open file, or nil where another holds it.
  private static func lock(_ path: String) throws(TraceError) -> Int32? {
    // Without O_NONBLOCK a pipe without a reader would halt the program.
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o644)
    guard file >= 0 else { throw .cannotWrite(path, errno) }
    var information = stat()
    guard fstat(file, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      _ = closeFile(file)
      throw .notARegularFile(path)
    }
    // A file system that knows no locks gives other errors; a log without a lock is better than none.
    if flock(file, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      _ = closeFile(file)
      return nil
    }
    return file
  }

  private static func prepare(
    _ file: Int32, _ path: String, _ header: [UInt8]
  ) throws(TraceError) -> Opened {
    guard ftruncate(file, 0) == 0 else { throw .cannotWrite(path, errno) }
    let first = header.count + Growth.reserve
    // The header is put over newlines that are there already, in one call: it is whole or not there.
    let (size, error) = pad(file, from: 0, count: max(Growth.firstSize, first))
    guard size >= first else {
      ftruncate(file, 0)
      throw .cannotWrite(path, error)
    }
    let written = header.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
    guard written == header.count else { throw .cannotWrite(path, written < 0 ? errno : ENOSPC) }
    guard let (base, mappedSize) = map(file, atLeast: size) else {
      throw .cannotWrite(path, errno)
    }
    return Opened(
      path: path, descriptor: file, base: base, mappedSize: mappedSize, size: size,
      headerSize: header.count)
  }

  /// Maps far more than the file has: pages become usable as the file grows, and no line ever spans two mappings.
  ///
  /// Only addresses are taken. Where the system gives fewer, the log can grow less.
  private static func map(
    _ file: Int32, atLeast least: Int
  ) -> (base: UnsafeMutableRawPointer, size: Int)? {
    let unit = Growth.windows.lowerBound
    var size = Int(clamping: UInt64(64) << 30) & ~(unit - 1)
    while size >= least {
      let base = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
      if let base, base != MAP_FAILED { return (base, size) }
      guard errno == ENOMEM else { return nil }
      size /= 2
    }
    return nil
  }
}
