import SystemLibrary
import TraceFormat

/// A lock that keeps other recorders away from a file of this log that isn't mapped for writing.
///
/// Each recorder requests an exclusive lock before it writes, and uses another name if it doesn't
/// get the lock.
struct SharedLock: Sendable {
  #if canImport(Darwin)
    /// The maximum number of locked files of one log. Each takes a descriptor, and a program only
    /// has a few of them.
    static var maxCount: Int { 8 }
    private let descriptor: Int32
    private let identity: FileIdentity
  #else
    /// The maximum number of locked files of one log. Each takes a mapping, and a process has
    /// 65,530 of them.
    static var maxCount: Int { 1000 }
    /// A page of the file that is never accessed. It keeps the file open, and therefore the lock,
    /// without a descriptor.
    private let page: UInt
  #endif

  /// Takes the lock. Returns nil if the file is no longer at the path, or if another recorder
  /// writes it.
  init?(_ path: String, _ identity: FileIdentity) {
    let file = OwnDescriptor.open(path, O_RDONLY | O_NONBLOCK)
    guard file >= 0 else { return nil }
    guard OwnDescriptor.isOpen(file, identity), flock(file, LOCK_SH | LOCK_NB) == 0 else {
      _ = systemClose(file)
      return nil
    }
    #if canImport(Darwin)
      (descriptor, self.identity) = (file, identity)
    #else
      defer { OwnDescriptor.close(file, identity) }
      guard let memory = mmap(nil, 1, PROT_NONE, MAP_SHARED, file, 0), memory != MAP_FAILED else {
        return nil
      }
      // Otherwise, a child would keep the lock for as long as it runs.
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
