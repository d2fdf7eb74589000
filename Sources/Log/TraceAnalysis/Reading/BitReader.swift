import SystemLibrary
import TraceFormat

/// A reader of the bits of a file, with the least significant bit first.
///
/// After the end of the file, it returns zeros. The caller takes bits, and afterward checks
/// `isOverrun`.
struct BitReader: ~Copyable {
  private static let capacity = 1 << 18
  /// The number of bytes after the buffer that may be read.
  private static let padding = 64

  private let descriptor: Int32
  private let bytes: UnsafeMutablePointer<UInt8>
  private var bits: UInt64 = 0
  private var count = 0
  /// The index of the next byte in the buffer that is not in `bits`.
  private var next = 0
  private var filled = 0
  /// The offset in the file at which the buffer begins.
  private var offset: Int
  private var isAtEnd = false
  /// The error number if the file could not be read to its end.
  private(set) var failure: Int32?

  init(_ descriptor: Int32, at offset: Int) {
    self.descriptor = descriptor
    self.offset = offset
    bytes = .allocate(capacity: Self.capacity + Self.padding)
    bytes.initialize(repeating: 0, count: Self.capacity + Self.padding)
  }

  deinit {
    bytes.deallocate()
  }

  /// A Boolean value that indicates whether more bits were taken than the file has.
  var isOverrun: Bool {
    @inline(__always) get { next > filled && next * 8 - count > filled * 8 }
  }

  /// The offset in the file of the byte that contains the next bit.
  var position: Int { offset + next - count / 8 }

  mutating func move(to position: Int) {
    bits = 0
    count = 0
    if position >= offset, position <= offset + filled {
      next = position - offset
    } else {
      offset = position
      next = 0
      filled = 0
      isAtEnd = false
    }
  }

  /// Makes sure that 48 bits are available, which is enough for the longest code and the bits that
  /// belong to it.
  @inline(__always)
  mutating func prepare() {
    if count < 48 { load() }
  }

  @inline(__always)
  private mutating func load() {
    if next + 8 > filled { fill() }
    let word = UnsafeRawPointer(bytes + next).loadUnaligned(as: UInt64.self)
    bits |= UInt64(littleEndian: word) << UInt64(truncatingIfNeeded: count)
    next += (63 - count) >> 3
    count |= 56
  }

  @inline(__always)
  func peek(_ length: Int) -> Int {
    Int(truncatingIfNeeded: bits & (1 << UInt64(truncatingIfNeeded: length) &- 1))
  }

  @inline(__always)
  mutating func drop(_ length: Int) {
    bits >>= UInt64(truncatingIfNeeded: length)
    count &-= length
  }

  /// Takes at most 16 bits.
  mutating func take(_ length: Int) -> Int {
    prepare()
    defer { drop(length) }
    return peek(length)
  }

  /// Skips the bits before the next byte.
  mutating func align() {
    drop(count & 7)
  }

  /// Returns the next byte; nil at the end of the file.
  mutating func byte() -> UInt8? {
    let byte = take(8)
    return isOverrun ? nil : UInt8(byte)
  }

  @inline(never)
  private mutating func fill() {
    guard !isAtEnd else {
      // The reader returns as many zeros as the caller wants.
      next = min(next, filled + Self.padding - 16)
      return
    }
    let rest = filled - next
    if rest > 0 { memmove(bytes, bytes + next, rest) }
    offset += next
    next = 0
    filled = max(rest, 0)
    while filled < Self.capacity {
      let count = pread(
        descriptor, bytes + filled, Self.capacity - filled, off_t(offset + filled))
      if count < 0, errno == EINTR { continue }
      if count < 0 { failure = errno }
      guard count > 0 else {
        isAtEnd = true
        break
      }
      filled += count
    }
    memset(bytes + filled, 0, Self.padding)
  }
}
