import SystemLibrary
import TraceFormat

/// A lock that keeps other recorders away from a file of this log that is not mapped for writing.
///
/// Each of them asks for an exclusive lock before it writes, and takes another name where it gets none.
struct SharedLock: Sendable {
  #if canImport(Darwin)
    /// How many files of one log are locked. Each takes a descriptor, of which a program has few.
    static var most: Int { 8 }
    private let descriptor: Int32
    private let identity: FileIdentity
  #else
    /// How many files of one log are locked. Each takes a mapping, of which a process has 65,530.
    static var most: Int { 1000 }
    /// A page of the file that nobody touches. It keeps the file open, and so the lock, without a descriptor.
    private let page: UInt
  #endif

  /// Nil where the file is not at the path any more, or another recorder writes it.
  init?(_ path: String, _ identity: FileIdentity) {
    let file = OwnDescriptor.open(path, O_RDONLY | O_NONBLOCK)
    guard file >= 0 else { return nil }
    guard OwnDescriptor.isOpen(file, identity), flock(file, LOCK_SH | LOCK_NB) == 0 else {
      _ = LogFile.closeFile(file)
      return nil
    }
    #if canImport(Darwin)
      (descriptor, self.identity) = (file, identity)
    #else
      defer { OwnDescriptor.close(file, identity) }
      guard let memory = mmap(nil, 1, PROT_NONE, MAP_SHARED, file, 0), memory != MAP_FAILED else {
        return nil
      }
      // A child would keep the lock for as long as it lives.
      madvise(memory, 1, MADV_DONTFORK)
      page = UInt(bitPattern: memory)
    #endif
  }

  func release() {
    #if canImport(Darwin)
      OwnDescriptor.close(descriptor, identity)
    #else
      munmap(UnsafeMutableRawPointer(bitPattern: page), 1)
    #endif
  }
}

extension LogFile {
  /// Keeps other recorders away from the file also after it is closed.
  func lockBeyondClosing() -> SharedLock? {
    let lock = growth.withLock(until: LogClock.monotonic() + Self.patience) { _ -> SharedLock? in
      guard let file = ownDescriptor() else { return nil }
      // Nobody can come in between: the system replaces an exclusive lock by a shared one in one step.
      flock(file, LOCK_SH | LOCK_NB)
      return SharedLock(path, fileIdentity)
    }
    return lock ?? nil
  }
}
