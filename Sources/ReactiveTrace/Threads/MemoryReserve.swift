import Synchronization
import SystemLibrary

/// Addresses that are set aside while a log is written. A program that has used up its memory gives
/// them back for the end of its log.
///
/// The runtime of the language ends the process if it gets no memory. So code that ends a log first
/// asks whether there is enough, and does less if there isn't.
enum MemoryReserve {
  private static let size = 64 << 20
  /// The address of the reserve. It is 0 if the program has all addresses.
  private static let address = Atomic<UInt>(0)
  private static let takenSize = Atomic<Int>(0)

  /// Takes the reserve, unless it is taken. It costs addresses, and memory only if the system promises
  /// no more than it has.
  static func take() {
    guard address.load(ordering: .acquiring) == 0 else { return }
    let limit = ResourceLimit.addressSpace.current ?? .max
    let size = min(size, limit / 16) & ~0xFFFF
    guard size > 0, let new = map(size) else { return }
    takenSize.store(size, ordering: .relaxed)
    let isFirst = address.compareExchange(
      expected: 0, desired: UInt(bitPattern: new), ordering: .acquiringAndReleasing
    ).exchanged
    if !isFirst { munmap(new, size) }
  }

  /// Gives the reserve back to the program. Allocates nothing.
  static func release() {
    let known = address.exchange(0, ordering: .acquiringAndReleasing)
    guard let memory = UnsafeMutableRawPointer(bitPattern: known) else { return }
    munmap(memory, takenSize.load(ordering: .relaxed))
  }

  /// Reports whether so many bytes can be allocated, without the reserve if they can't be otherwise.
  /// Allocates nothing. Other threads may take the memory in the meantime.
  static func hasRoom(for bytes: Int) -> Bool {
    if isFree(bytes) { return true }
    release()
    return isFree(bytes)
  }

  private static func isFree(_ bytes: Int) -> Bool {
    guard let memory = map(bytes) else { return false }
    munmap(memory, bytes)
    return true
  }

  /// Maps memory that is not used. It counts like memory that is, because the limits on data and on
  /// promised memory apply to it as well.
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
