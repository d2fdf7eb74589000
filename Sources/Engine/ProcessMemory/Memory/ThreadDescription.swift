/// glibc's description of a thread at the end of its stack (`struct pthread` in `nptl/descr.h`).
/// Offsets are in bytes.
package enum ThreadDescription {
  #if arch(arm64)
    package static let alignment: UInt = 32
    /// The number of the thread, in four bytes.
    static let number: UInt = 208
    /// The size of a description, computed from that on x86-64. Variables of the thread come after
    /// it.
    static let size: UInt = 1792
  #else
    package static let alignment: UInt = 64
    static let number: UInt = 720
    /// The size of a description in glibc 2.36.
    static let size: UInt = 2304
    /// The address of the description once more (`tcbhead_t` in `sysdeps/x86_64/nptl/tls.h`).
    private static let ownAddress: UInt = 16
  #endif
  /// The numbers of threads that have ended: the kernel clears the number, and `pthread_join` sets
  /// it to -1 (`nptl/pthread_join_common.c`).
  static let endNumbers: Set<UInt32> = [0, .max]
  /// The maximum distance of a description from the end of a stack.
  static let maxDistance: UInt = 1 << 14

  /// Reports whether a description starts at an address.
  package static func isOne(_ address: UInt, _ memory: ProcessMemory) -> Bool {
    #if arch(arm64)
      // Without locked mutexes in it, the list of robust mutexes leads to itself, in both
      // directions (`robust_prev` and `robust_head`).
      let list = address &+ number &+ 16
      return memory.word(list) == list && memory.word(list &- 8) == list
    #else
      return memory.word(address) == address && memory.word(address &+ ownAddress) == address
    #endif
  }

  /// Returns the address of the last description in a range, or nil if there isn't one near its
  /// end.
  static func last(in range: Range<UInt>, _ memory: ProcessMemory) -> UInt? {
    let size = min(UInt(range.count), maxDistance)
    let first = (range.upperBound &- size &+ alignment &- 1) & ~(alignment &- 1)
    return stride(from: first, to: range.upperBound, by: Int(alignment)).first {
      isOne($0, memory)
    }
  }
}
