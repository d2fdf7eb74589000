import CRuntime.OwnProcess
import SystemLibrary
import TraceFormat

/// A locked and mapped file with a header.
struct OpenedFile {
  /// The initial size of a file.
  private static let firstSize = 256 * 1024
  /// The unit of mapped sizes.
  private static let mappingUnit = 1 << 20
  /// The minimum size of a part for which preallocating its blocks is faster.
  private static let largePart = 1 << 20
  /// The newlines that a call writes repeatedly. They fit into the processor's cache, unlike the
  /// newlines of a large step.
  private static let padding = [UInt8](repeating: UInt8(ascii: "\n"), count: 64 * 1024)

  let path: String
  let descriptor: Int32
  let identity: FileIdentity
  let base: UnsafeMutableRawPointer
  let mappedSize: Int
  let size: Int
  let headerSize: Int
  /// The number of logs of the same run that were in the file before.
  let replaced: Int

  /// Opens the first of `path`, `path.2`, `path.3`, ... that isn't locked by another process. An
  /// existing log that isn't locked is replaced. Ordinary lines will end at `limit`.
  ///
  /// If the file can't be written, an empty file must not remain, because every reader would report
  /// it as damaged. So this initializer removes a file that it created, and also a file opened with
  /// `isFurther`, whose name the recorder has chosen.
  ///
  /// - Parameters:
  ///   - run: The run to which the process belongs, if known.
  ///   - header: Returns the first line. Its argument is the number of logs of the run that were in
  ///     the file before.
  init(
    path: String, run: String?, limit: Int, isFurther: Bool, header: (_ replaced: Int) -> [UInt8]
  ) throws(TraceError) {
    var number = 1
    while true {
      let candidate = LogPath.candidate(path, number)
      if let file = try Self.lock(candidate) {
        do throws(TraceError) {
          let replaced = run.map { ReplacedLog.count(in: file.descriptor, of: $0) } ?? 0
          try self.init(file, candidate, header(replaced), limit, replaced)
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

  /// A file that this process has locked.
  private struct Owned {
    let descriptor: Int32
    let identity: FileIdentity
    /// A Boolean value that indicates whether the file didn't exist before.
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
    // A file system without locks returns other errors. A log without a lock is better than no log.
    if flock(file, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      _ = systemClose(file)
      return nil
    }
    return Owned(
      descriptor: file, identity: FileIdentity(information),
      isNew: isNew && information.st_size == 0)
  }

  private init(
    _ owned: Owned, _ path: String, _ header: [UInt8], _ limit: Int, _ replaced: Int
  ) throws(TraceError) {
    let (file, identity) = (owned.descriptor, owned.identity)
    guard OwnDescriptor.isOpen(file, identity) else { throw .cannotWrite(path, EBADF) }
    guard ftruncate(file, 0) == 0 else { throw .cannotWrite(path, errno) }
    let first = header.count + LogFile.reservedSize
    let initialSize = limit < Self.firstSize ? limit + LogFile.reservedSize : Self.firstSize
    // The header overwrites newlines in one call, so it is either complete or absent.
    let (size, error) = Self.pad(file, identity, from: 0, count: max(initialSize, first))
    guard OwnDescriptor.isOpen(file, identity) else { throw .cannotWrite(path, EBADF) }
    guard size >= first else {
      ftruncate(file, 0)
      throw .cannotWrite(path, error)
    }
    let written = header.withUnsafeBytes { trace_pwrite(file, $0.baseAddress, $0.count, 0) }
    guard written == header.count else { throw .cannotWrite(path, written < 0 ? errno : ENOSPC) }
    guard let (base, mappedSize) = Self.map(file, atLeast: size, limit: limit) else {
      throw .cannotWrite(path, errno)
    }
    self.path = LogPath.absolute(path)
    (descriptor, self.identity) = (file, identity)
    (self.base, self.mappedSize, self.size) = (base, mappedSize, size)
    headerSize = header.count
    self.replaced = replaced
  }

  /// Maps much more than the size of the file. Pages become usable as the file grows, and a line
  /// never spans two mappings.
  ///
  /// The mapping only takes address space. If less is available, the log can't grow as much.
  private static func map(
    _ file: Int32, atLeast minSize: Int, limit: Int
  ) -> (base: UnsafeMutableRawPointer, size: Int)? {
    let unit = mappingUnit
    var size =
      max(
        minSize, mappingSize(limit: limit, addressSpace: ResourceLimit.addressSpace.current ?? .max)
      )
      & ~(unit - 1)
    if size < minSize { size += unit }
    while size >= minSize {
      let base = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
      if let base, base != MAP_FAILED { return (base, size) }
      // Valgrind rejects an oversized mapping with EINVAL.
      guard errno == ENOMEM || errno == EINVAL else { return nil }
      size /= 2
    }
    return nil
  }

  /// Returns the size of the mapping for a file of at most `limit` bytes.
  ///
  /// The mapping of a limited file has ample room for lines that are restated from earlier files.
  /// If the address space is limited, the log only takes a small part of it.
  static func mappingSize(limit: Int, addressSpace: Int) -> Int {
    let maxSize = 64 << 30
    let wanted = limit < maxSize / 4 ? max(4 * limit, 1 << 30) : maxSize
    return min(wanted, addressSpace / 16)
  }

  /// Prepares the static values. See `WarmUp`.
  static func prepare() { _ = padding.count }

  /// Writes up to `count` newlines from `offset` on, as many as the system allows. Returns the new
  /// size, and the error if there was one.
  ///
  /// The limit is requested first, so that the file can grow exactly up to it. `trace_pwrite`
  /// protects the program from the signal SIGXFSZ if the limit changes in the meantime.
  static func pad(
    _ file: Int32, _ identity: FileIdentity, from offset: Int, count: Int
  ) -> (size: Int, error: Int32) {
    let limit = ResourceLimit.fileSize.current ?? .max
    var size = offset
    let goal = offset + count
    while size < goal {
      let room = min(goal, limit) - size
      guard room > 0 else { return (size, EFBIG) }
      guard OwnDescriptor.isOpen(file, identity) else { return (size, EBADF) }
      if room >= largePart { trace_preallocate(file, room, size) }
      let written = padding.withUnsafeBytes {
        trace_pwrite_repeated(file, $0.baseAddress, $0.count, room, size)
      }
      if written > 0 {
        size += written
      } else if errno != EINTR {
        return (size, written == 0 ? ENOSPC : errno)
      }
    }
    return (size, 0)
  }

  /// Copies a file that was deleted while it was written to a new file. Without this, its contents
  /// would be lost when the process ends.
  static func restoreIfDeleted(
    _ file: Int32, at path: String, _ bytes: UnsafeMutableRawPointer, size: Int
  ) {
    var information = stat()
    guard fstat(file, &information) == 0, information.st_nlink == 0 else { return }
    var number = 1
    var copy: Int32
    repeat {
      let name = LogPath.candidate(path, number)
      copy = OwnDescriptor.open(name, O_WRONLY | O_CREAT | O_EXCL)
      number += 1
    } while copy < 0 && errno == EEXIST
    let name = LogPath.candidate(path, number - 1)
    guard copy >= 0, let identity = FileIdentity(copy) else {
      return Diagnostics.warn(
        "the log '\(path)' was deleted while it was written, and '\(name)' cannot be created: "
          + "\(SystemError.reason(errno)). Its records are gone.")
    }
    defer { OwnDescriptor.close(copy, identity) }
    var done = 0
    while done < size, OwnDescriptor.isOpen(copy, identity) {
      let count = trace_pwrite(copy, bytes + done, min(size - done, 1 << 20), done)
      guard count > 0 else {
        if count < 0, errno == EINTR { continue }
        return Diagnostics.warn(
          "the log '\(path)' was deleted while it was written, and only a part of it could be "
            + "written to '\(name)': \(SystemError.reason(count < 0 ? errno : ENOSPC)).")
      }
      done += count
    }
    Diagnostics.warn("the log '\(path)' was deleted while it was written: it is in '\(name)'.")
  }
}
