import Synchronization

/// A part of the address space that is reserved while a log is written. If the program has used up
/// its memory, the reserve is released for the end of its log.
///
/// The Swift runtime ends the process if an allocation fails. So code that ends a log first checks
/// whether there is enough memory, and does less if there isn't.
package enum MemoryReserve {
  private static let size = 64 << 20
  /// The address of the reserve, or 0 without one.
  private static let address = Atomic<UInt>(0)
  private static let acquiredSize = Atomic<Int>(0)

  /// Acquires the reserve, unless this was done before. It costs address space, and it only costs
  /// memory if the system doesn't overcommit memory.
  package static func acquire() {
    guard address.load(ordering: .acquiring) == 0 else { return }
    let limit = ResourceLimit.addressSpace.current ?? .max
    let size = min(size, limit / 16) & ~0xFFFF
    guard size > 0, let new = map(size) else { return }
    acquiredSize.store(size, ordering: .relaxed)
    let isFirst = address.compareExchange(
      expected: 0, desired: UInt(bitPattern: new), ordering: .acquiringAndReleasing
    ).exchanged
    if !isFirst { munmap(new, size) }
  }

  /// Returns the reserve to the program. Doesn't allocate.
  package static func release() {
    let known = address.exchange(0, ordering: .acquiringAndReleasing)
    guard let memory = UnsafeMutableRawPointer(bitPattern: known) else { return }
    munmap(memory, acquiredSize.load(ordering: .relaxed))
  }

  /// Returns whether `bytes` bytes can be allocated. Releases the reserve if that is necessary.
  /// Doesn't allocate. Other threads can take the memory in the meantime.
  package static func hasRoom(for bytes: Int) -> Bool {
    if isFree(bytes) { return true }
    release()
    return isFree(bytes)
  }

  /// Returns whether `bytes` bytes can be allocated, without releasing the reserve. For memory that
  /// the caller can do without.
  package static func isFree(_ bytes: Int) -> Bool {
    guard let memory = map(bytes) else { return false }
    munmap(memory, bytes)
    return true
  }

  /// Maps unused memory. The limits on data and on committed memory apply to it as they do to used
  /// memory.
  private static func map(_ size: Int) -> UnsafeMutableRawPointer? {
    #if os(Linux)
      let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    #else
      let flags = MAP_PRIVATE | MAP_ANON
    #endif
    let memory = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0)
    return memory == MAP_FAILED ? nil : memory
  }
}
