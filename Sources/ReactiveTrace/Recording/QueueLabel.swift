#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A copy of the label of a dispatch queue, to see whether a thread still serves that queue.
///
/// The address of a label says nothing, as the memory of a queue that is gone may be given to the next one.
struct QueueLabel {
  private static let wordSize = 8
  private var copy: UnsafeMutableRawPointer?
  private var address: UnsafePointer<CChar>?

  mutating func remember(_ label: UnsafePointer<CChar>?) {
    forget()
    guard let label else { return }
    let size = strlen(label) + 1
    // Whole words, zero beyond the end of the label.
    let room = (size + Self.wordSize - 1) / Self.wordSize * Self.wordSize
    let copy = UnsafeMutableRawPointer.allocate(byteCount: room, alignment: Self.wordSize)
    memset(copy, 0, room)
    memcpy(copy, label, size)
    self.copy = copy
    address = label
  }

  mutating func forget() {
    copy?.deallocate()
    copy = nil
    address = nil
  }

  /// Whether `label` reads the same. Some 2 nanoseconds: it is asked for every record.
  @inline(__always)
  func matches(_ label: UnsafePointer<CChar>?) -> Bool {
    guard let label, let copy else { return label == nil && copy == nil }
    guard label == address else { return false }
    let bytes = UnsafeRawPointer(label)
    var offset = 0
    while true {
      // A word that does not cross into another page can be read whole, whatever follows the label in it.
      guard Int(bitPattern: bytes + offset) & 4095 <= 4096 - Self.wordSize else {
        return strcmp(label, copy.assumingMemoryBound(to: CChar.self)) == 0
      }
      let word = ByteWord.load(bytes, at: offset)
      let known = ByteWord.load(copy, at: offset)
      let end = ByteWord.bytesBeforeZero(known)
      if end < Self.wordSize {
        // Up to the end of the label and no further.
        let mask: UInt64 = end == 7 ? .max : (1 &<< UInt64(8 * (end + 1))) &- 1
        return (word ^ known) & mask == 0
      }
      if word != known { return false }
      offset += Self.wordSize
    }
  }
}
