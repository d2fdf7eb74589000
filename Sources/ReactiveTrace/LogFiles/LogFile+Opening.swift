import SystemLibrary
import TraceFormat
import TraceShims

extension LogFile {
  /// A file that is locked, has its header and is mapped.
  struct Opened {
    var path: String
    var descriptor: Int32
    var identity: FileIdentity
    var base: UnsafeMutableRawPointer
    var mappedSize: Int
    var size: Int
    var headerSize: Int
  }

  /// Opens the first of `path`, `path.2`, `path.3`, ... that no living process writes. A log that
  /// no process writes is replaced.
  ///
  /// If the file cannot be written, an empty file must not remain, because every reader would call
  /// it damaged. So this initializer removes a file that it created, and also a file opened with
  /// `isFurther`, whose name the recorder has chosen.
  package convenience init(
    path: String, header: [UInt8], limit: Int? = nil, isFurther: Bool = false
  ) throws(TraceError) {
    var number = 1
    while true {
      let candidate = LogPath.candidate(path, number)
      if let file = try Self.lock(candidate) {
        do throws(TraceError) {
          let limit =
            limit.map { max($0, header.count + 1 + Growth.reserve) - Growth.reserve } ?? .max
          self.init(try Self.prepare(file, candidate, header, limit), limit: limit)
          return
        } catch {
          if file.isNew || isFurther { file.identity.remove(at: candidate) }
          OwnDescriptor.close(file.descriptor, file.identity)
          throw error
        }
      }
      number += 1
    }
  }

  /// A file that no other process writes.
  private struct Owned {
    let descriptor: Int32
    let identity: FileIdentity
    /// True if the file did not exist before.
    let isNew: Bool
  }

  /// Opens and locks the file. Returns nil if another process holds its lock.
  private static func lock(_ path: String) throws(TraceError) -> Owned? {
    // Without O_NONBLOCK, a pipe without a reader would block the program.
    let flags = O_RDWR | O_NONBLOCK
    var isNew = false
    var file = OwnDescriptor.open(path, flags)
    if file < 0, errno == ENOENT {
      file = OwnDescriptor.open(path, flags | O_CREAT)
      isNew = file >= 0
    }
    guard file >= 0 else { throw .cannotWrite(path, errno) }
    var information = stat()
    guard fstat(file, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      _ = systemClose(file)
      throw .notARegularFile(path)
    }
    // A file system without locks gives other errors. A log without a lock is better than none.
    if flock(file, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      _ = systemClose(file)
      return nil
    }
    return Owned(
      descriptor: file, identity: FileIdentity(information),
      isNew: isNew && information.st_size == 0)
  }

  private static func prepare(
    _ owned: Owned, _ path: String, _ header: [UInt8], _ limit: Int
  ) throws(TraceError) -> Opened {
    let (file, identity) = (owned.descriptor, owned.identity)
    guard OwnDescriptor.isOpen(file, identity) else { throw .cannotWrite(path, EBADF) }
    guard ftruncate(file, 0) == 0 else { throw .cannotWrite(path, errno) }
    let first = header.count + Growth.reserve
    let most = limit < Growth.firstSize ? limit + Growth.reserve : Growth.firstSize
    // The header goes over existing newlines in one call, so it is either complete or absent.
    let (size, error) = pad(file, identity, from: 0, count: max(most, first))
    guard OwnDescriptor.isOpen(file, identity) else { throw .cannotWrite(path, EBADF) }
    guard size >= first else {
      ftruncate(file, 0)
      throw .cannotWrite(path, error)
    }
    let written = header.withUnsafeBytes { trace_pwrite(file, $0.baseAddress, $0.count, 0) }
    guard written == header.count else { throw .cannotWrite(path, written < 0 ? errno : ENOSPC) }
    guard let (base, mappedSize) = map(file, atLeast: size, limit: limit) else {
      throw .cannotWrite(path, errno)
    }
    return Opened(
      path: LogPath.absolute(path), descriptor: file, identity: identity, base: base,
      mappedSize: mappedSize, size: size, headerSize: header.count)
  }

  /// Maps far more than the size of the file. Pages become usable as the file grows, and no line
  /// ever spans two mappings.
  ///
  /// The mapping takes only addresses. If the system gives fewer, the log can grow less.
  private static func map(
    _ file: Int32, atLeast least: Int, limit: Int
  ) -> (base: UnsafeMutableRawPointer, size: Int)? {
    let unit = Growth.windows.lowerBound
    var size = max(least, mappingSize(limit: limit, addressSpace: ResourceLimit.addressSpace.current ?? .max)) & ~(unit - 1)
    if size < least { size += unit }
    while size >= least {
      let base = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
      if let base, base != MAP_FAILED { return (base, size) }
      guard errno == ENOMEM else { return nil }
      size /= 2
    }
    return nil
  }
  /// Returns the number of addresses that the mapping takes for a file of at most `limit` bytes.
  ///
  /// A file of limited size also holds what earlier files of its log hand on, so there is ample
  /// room for that. If addresses are limited, the program needs them more than its log does.
  static func mappingSize(limit: Int, addressSpace: Int) -> Int {
    let most = 64 << 30
    let wanted = limit < most / 4 ? max(4 * limit, 1 << 30) : most
    return min(wanted, addressSpace / 16)
  }
}
